import { html, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { FieldView } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import { linkedRecords } from "../operations/links.ts";
import type { ResourceRequest } from "../request.ts";
import { detailOf } from "./detail.ts";

/** The records that are linked, and those that were chosen. */
export async function linksRow(
  controller: ResourceRequest,
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
