import type { FieldType } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import type { FilterOptions } from "../definition/definition_options.ts";
import type { Registration } from "./registration.ts";

/** The type that decides how a list is filtered: the one that the filter names, else that of its field or its column. */
export function filterType(
  { types }: Registration,
  attribute: Attribute | undefined,
  { as }: Pick<FilterOptions, "as">,
): FieldType | undefined {
  if (as !== undefined) return types.get(as);
  const own = [attribute?.types.input, types.get(attribute?.column?.type ?? "")];
  return own.find((type) => type?.filter && type.filter.onlyNamed !== true);
}
