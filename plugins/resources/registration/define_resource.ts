import type { ControllerClass } from "framewright/host";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";
import type { PluginResource } from "./plugin_resource.ts";

/** A resource of a plugin, whose controller extends one of resources. */
interface DefinedResource extends Omit<PluginResource, "controller"> {
  readonly controller?: (Base: ControllerClass<ResourceRequest>) => ControllerClass<ResourceRequest>;
}

/** Defines a resource of a plugin: `services.resources.addResource(tickets)`, then `routes.registerResource(tickets)` in a portal. @throws FW_PLUGIN_RESOURCE */
export function defineResource(resource: DefinedResource): PluginResource {
  const { constant, model, policy } = resource;
  if (!/^[A-Z]\w*(?:::[A-Z]\w*)+$/.test(constant))
    throw errors.FW_PLUGIN_RESOURCE(String(constant), 'its constant has no prefix of the plugin, as in "Desk::Ticket"');
  for (const [name, value] of Object.entries({ model, policy }))
    if (typeof value !== "function") throw errors.FW_PLUGIN_RESOURCE(constant, `its ${name} is no class`);
  return Object.freeze({ ...resource });
}
