import type { BaseModel } from "framewright/plugins/database";
import type { ResourceFieldOptions } from "../definition/definition_options.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

interface Of {
  record?(): BaseModel | undefined;
  registration?: Registration;
}

/** The names whose fields a definition leaves in for the person, of a record where there is one. */
export function shownNames(
  controller: ResourceRequest,
  names: readonly string[],
  place: "displays" | "columns",
  { record, registration = controller.registration }: Of = {},
): readonly string[] {
  const { currentUser, currentScopedEntity } = controller;
  const fields: ReadonlyMap<string, ResourceFieldOptions> = registration.definition[place];
  const conditional = registration.once(`conditions of ${place}`, () => conditionalNames(fields));
  if (!names.some((name) => conditional.has(name))) return names;
  const context = { record: record?.(), currentUser, currentScopedEntity };
  return names.filter((name) => !conditional.has(name) || fields.get(name)!.condition!(context));
}

const conditionalNames = (fields: ReadonlyMap<string, ResourceFieldOptions>): ReadonlySet<string> =>
  new Set([...fields].flatMap(([name, { condition }]) => (condition ? [name] : [])));
