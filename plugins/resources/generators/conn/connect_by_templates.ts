import type { GeneratorContext, ModelFile } from "framewright/generators";
import { filesOf, importPath, resourceOf } from "../../../../generators/toolkit/index.ts";
import { register, registeredIn } from "./registrations.ts";

/** How a generator connects a resource of its own to a portal. */
export interface Connection {
  portal: string;
  model: ModelFile;
  /** The templates of the generator: `controller.ts`, `<prefix>policy.ts` and `<prefix>definition.ts`. */
  prefix?: string;
  locals?: object;
  /** Options of `registerResource`, as source code. */
  options?: string;
}

/** Writes the classes of a resource in a portal by the generator's own templates, and registers it last, unless it is. */
export function connectByTemplates(
  { app, changes, template }: GeneratorContext,
  { portal, model, prefix = "", locals = {}, options = "" }: Connection,
): void {
  const resource = resourceOf(model.constant);
  const feature = filesOf(resource, model.package);
  const files = filesOf(resource, portal, `${portal}/`);
  const all = {
    ...resource,
    portal,
    model_path: importPath(model.path),
    feature_controller: importPath(feature.controller),
    feature_policy: importPath(feature.policy),
    feature_definition: importPath(feature.definition),
    ...locals,
  };
  template(files.controller, "controller.ts", all);
  template(files.policy, `${prefix}policy.ts`, all);
  template(files.definition, `${prefix}definition.ts`, all);
  const routes = `packages/${portal}/config/routes.ts`;
  const known = registeredIn(routes, changes.read(routes) ?? "", app.models());
  if (!known.has(model.constant)) register(changes, routes, model, { options, last: true });
}
