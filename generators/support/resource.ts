import { camelize, demodulize, humanize, paramKey, pathOf, pluralize, routePath, tableize } from "./names.ts";

/** The names and paths of a resource's classes. */
export interface Resource {
  constant: string;
  /** The class's own name: Post of Blogging::Post. */
  name: string;
  table: string;
  /** blogging/post. */
  path: string;
  /** blogging/posts. */
  route: string;
  key: string;
  controller: string;
  policy: string;
  definition: string;
  label: string;
}

export function resourceOf(constant: string): Resource {
  const [path, name] = [pathOf(constant), demodulize(constant)];
  return {
    constant,
    name,
    table: tableize(constant),
    path,
    route: routePath(constant),
    key: paramKey(constant),
    controller: `${camelize(pluralize(pathOf(name)))}Controller`,
    policy: `${name}Policy`,
    definition: `${name}Definition`,
    label: humanize(name),
  };
}

/** Files of a resource below `app/` or `packages/<owner>/app/`; `within` is the folder of a portal. */
export function filesOf({ path, route }: Resource, owner: string | undefined, within = "") {
  const app = owner === undefined ? "app" : `packages/${owner}/app`;
  return {
    model: `${app}/models/${path}.ts`,
    controller: `${app}/controllers/${within}${route}_controller.ts`,
    policy: `${app}/policies/${within}${path}_policy.ts`,
    definition: `${app}/definitions/${within}${path}_definition.ts`,
  };
}
