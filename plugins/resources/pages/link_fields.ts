import { html, type Params, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { FieldView } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { Attribute } from "../definition/attributes.ts";
import { linkedRecords } from "../operations/links.ts";
import { detailOf } from "./detail.ts";
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

/** The records that are linked, and those that were chosen. */
export async function linksRow(
  controller: ResourceController,
  attribute: Attribute,
  stored: BaseModel,
  field: FieldView | undefined,
): Promise<{ theirs: SafeHtml; yours: SafeHtml }> {
  const linked = await linkedRecords(controller, attribute.association!, stored);
  const chosen = (field?.choices ?? []).filter(({ selected }) => selected);
  const shown = Object.assign((stored.constructor as typeof BaseModel).fromJson({}), { [attribute.name]: linked });
  const yours = html`${chosen.map(({ label }) => label).join(", ") || "–"}`;
  return { theirs: detailOf(controller, attribute, shown as BaseModel), yours };
}
