import { type Application, type ControllerClass, underscore } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { ModelClass } from "framewright/plugins/database";
import type { DefinitionClass } from "../definition/definition.ts";
import type { PolicyClass } from "../definition/policy.ts";
import { errors } from "../errors.ts";

/** A resource that a plugin brings: what a feature of an application has for it below `app/`. Its migration is in the plugin's `migrate/`. */
export interface PluginResource {
  /** Its name, with the plugin's own prefix: `Desk::Ticket` */
  readonly constant: string;
  readonly model: ModelClass;
  /** What people may do with it, unless the application has one of that name: `app/policies/desk/ticket_policy.ts`. */
  readonly policy: PolicyClass;
  /** How it is shown, unless the application has one of that name. */
  // biome-ignore lint/suspicious/noExplicitAny: of records of its own model
  readonly definition?: DefinitionClass<any>;
  /** Extends the resource controller of the portal that serves it, which knows the portal's people. */
  controller?(Base: ControllerClass): ControllerClass;
}

/** The resources that plugins bring. */
export class PluginResources {
  readonly #resources: Registry<PluginResource>;

  constructor(registrant: () => string | undefined) {
    this.#resources = new Registry("the resource", registrant, { isReplaceable: false });
  }
  /** @throws FW_REGISTRY_TAKEN */
  add(resource: PluginResource): void {
    this.#resources.add(resource.constant, resource);
  }
  /** Adds their classes to those of the application, whose own policies and definitions take their places. */
  load({ constants }: Application): void {
    for (const [constant, { model, policy, definition }] of this.#resources.entries()) {
      const file = `the plugin ${this.#resources.ownerOf(constant)}`;
      const path = underscore(constant);
      constants.add(path, "models", file, model);
      if (!constants.has(`${path}_policy`)) constants.add(`${path}_policy`, "policies", file, policy);
      if (definition && !constants.has(`${path}_definition`))
        constants.add(`${path}_definition`, "definitions", file, definition);
    }
  }
  /** The model of what is registered. @throws FW_PLUGIN_RESOURCE where no listed plugin brings it */
  modelOf(given: ModelClass | PluginResource): ModelClass {
    if (typeof given !== "object" || given === null) return given;
    if (this.#resources.get(given.constant) !== given)
      throw errors.FW_PLUGIN_RESOURCE(given.constant, "no plugin of plugins.config.ts brings it");
    return given.model;
  }
  /** The controller of a model in a portal, on the class that the portal has for its resources. */
  controllerOf(constant: string, Base: ControllerClass): ControllerClass {
    const extend = this.#resources.get(constant)?.controller;
    return extend ? extend(Base) : Base;
  }
}
