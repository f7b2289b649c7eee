import { html, type Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { FieldView } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { Attribute } from "../definition/attributes.ts";
import { linkedRecords } from "../operations/links.ts";
import { detailOf } from "./show_page.ts";
import { typedList } from "./typed_text.ts";

/** Whether several records are chosen for an attribute. */
export const isLinks = ({ association }: Attribute): boolean => association?.kind === "hasMany";

/** The ids that are chosen for an association of many: what was typed, else what is stored and the person may see. */
export async function chosenLinks(
  controller: ResourceController,
  { name, association }: Attribute,
  { record, typed }: { record: BaseModel | undefined; typed: Params | undefined },
): Promise<readonly string[]> {
  if (typed?.has(name)) return typedList(typed, name);
  const linked = record ? await linkedRecords(controller, association!, record) : [];
  return linked.map((one) => String(one.$id()));
}

/** The records that are linked, and those that were chosen, where they differ. */
export async function linksRow(
  controller: ResourceController,
  attribute: Attribute,
  stored: BaseModel,
  { choices = [] }: FieldView,
) {
  const linked = await linkedRecords(controller, attribute.association!, stored);
  const chosen = choices.filter(({ selected }) => selected);
  const ids = new Set(linked.map((record) => String(record.$id())));
  if (ids.size === chosen.length && chosen.every(({ value }) => ids.has(value))) return [];
  const shown = Object.assign((stored.constructor as typeof BaseModel).fromJson({}), { [attribute.name]: linked });
  const yours = html`${chosen.map(({ label }) => label).join(", ") || "–"}`;
  return [
    {
      name: attribute.name,
      label: attribute.label,
      theirs: detailOf(controller, attribute, shown as BaseModel),
      yours,
    },
  ];
}
