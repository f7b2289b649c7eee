import type { GeneratorContext } from "../../generator.ts";
import { importPath, type ModelFile } from "../../support/application.ts";
import { credentialNote } from "../../support/credentials.ts";
import { camelize } from "../../support/names.ts";
import { filesOf, resourceOf } from "../../support/resource.ts";
import { listed } from "../scaffold/code.ts";
import type { PolicySeed } from "./columns.ts";

/** A resource in a portal, and which of its classes are written there; all by default. */
export interface PortalClasses {
  portal: string;
  model: ModelFile;
  seed: PolicySeed;
  policy?: boolean;
  definition?: boolean;
  controller?: boolean;
}

/** Writes the classes of a resource in a portal. What is not written is the feature's, and the portal's own controller. */
export function writeClasses(
  { app, template, note }: GeneratorContext,
  { portal, model, seed, policy = false, definition = false, controller = false }: PortalClasses,
): void {
  const resource = resourceOf(model.constant);
  const feature = filesOf(resource, model.package);
  const files = filesOf(resource, portal, `${portal}/`);
  const isWhole = !policy && !definition && !controller;
  const there = (path: string) => (app.has(path) ? importPath(path) : "");
  const locals = {
    ...resource,
    portal,
    portal_name: camelize(portal),
    model_path: importPath(model.path),
    feature_controller: there(feature.controller),
    feature_policy: there(feature.policy),
    feature_definition: there(feature.definition),
    create_list: listed(seed.create),
    read_list: listed(seed.read),
    association_list: listed(seed.associations),
  };
  if (isWhole || controller) template(files.controller, "controller.ts", locals);
  if (isWhole || policy) template(files.policy, "policy.ts", locals);
  if (isWhole || definition) template(files.definition, "definition.ts", locals);
  if (!isWhole && !policy && !app.has(files.policy))
    note(`${feature.policy} decides in ${portal}, without the rules of the portal's own resource_policy.ts.`);
  const isServed = isWhole || controller || app.has(files.controller);
  if (!isServed && app.has(feature.controller) && !isEmptyClass(app.read(feature.controller)))
    note(
      `${feature.controller} does not serve ${portal}: its methods are used there with a controller of its own, which --controller writes.`,
    );
  if ((isWhole || policy) && seed.credentials.length > 0) note(credentialNote(files.policy, seed.credentials));
}

const isEmptyClass = (text: string): boolean => /\{\s*\}\s*$/.test(text);
