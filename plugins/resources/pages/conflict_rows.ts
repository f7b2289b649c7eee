import { html, type Params, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ConflictRowView, FieldView } from "framewright/plugins/fields";
import { isFile } from "framewright/plugins/fields/toolkit";
import { type Attribute, isSecret } from "../definition/attributes.ts";
import { isLinks } from "../operations/chosen_links.ts";
import { linkedRecords } from "../operations/links.ts";
import { isSameValue, type Originals, sentValue, storedValue } from "../operations/originals.ts";
import { isUnchanged } from "../operations/unchanged.ts";
import { fieldLabel } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { detailOf } from "./detail.ts";
import { typedText } from "./typed_text.ts";

/** Who changed the value of a field since the form was opened. */
export type ChangedBy = ConflictRowView["by"];

interface Conflict {
  stored: BaseModel;
  typed: Params;
  /** Who changed what, of what was sent and may be written. */
  changes: ReadonlyMap<string, ChangedBy>;
  fields: readonly FieldView[];
}

/**
 * Who changed each field: both, only they, or only the person. A form that does not state what it began with may have changed
 * whatever differs.
 */
export async function changesOf(
  controller: ResourceRequest,
  { stored, typed, names }: { stored: BaseModel; typed: Params; names: readonly string[] },
  originals: Originals | undefined,
): Promise<Map<string, ChangedBy>> {
  const changes = new Map<string, ChangedBy>();
  for (const name of names) {
    const attribute = controller.registration.attribute(name);
    if (isSecret(attribute) && (typedText(typed, name) ?? "") === "") continue;
    const by = isFile(typed.get(name)) ? "both" : await changedBy(controller, attribute, { stored, typed }, originals);
    if (by) changes.set(name, by);
  }
  return changes;
}

async function changedBy(
  controller: ResourceRequest,
  attribute: Attribute,
  { stored, typed }: { stored: BaseModel; typed: Params },
  originals: Originals | undefined,
): Promise<ChangedBy | undefined> {
  const theirs = await storedValue(controller, attribute, stored);
  const isSent = typed.has(attribute.name) && !isUnchanged(attribute, typedText(typed, attribute.name));
  const yours = isSent ? sentValue(attribute, typed) : theirs;
  const isTheirs = !isSecret(attribute) && originals?.has(attribute, theirs) === false;
  if (isSameValue(attribute, theirs, yours)) return isTheirs ? "them" : undefined;
  if (originals?.has(attribute, yours)) return "them";
  return originals && !isTheirs && !isSecret(attribute) ? "you" : "both";
}

/** What is stored and what was typed, side by side. */
export async function conflictRows(controller: ResourceRequest, conflict: Conflict): Promise<ConflictRowView[]> {
  const rows: ConflictRowView[] = [];
  for (const [name, by] of conflict.changes) {
    const attribute = controller.registration.attribute(name);
    const field = conflict.fields.find((one) => one.name === name);
    const label = fieldLabel(controller, controller.registration, attribute, "input");
    if (isLinks(attribute))
      rows.push({ name, label, by, ...(await linksRow(controller, attribute, conflict.stored, field)) });
    else {
      const theirs = detailOf(controller, attribute, conflict.stored);
      rows.push({ name, label, by, theirs, yours: yoursOf(controller, attribute, field, conflict) });
    }
  }
  return rows;
}

function yoursOf(
  controller: ResourceRequest,
  attribute: Attribute,
  field: FieldView | undefined,
  { stored, typed }: Conflict,
): SafeHtml {
  const { name, source } = attribute;
  const file = typed.get(name);
  if (isFile(file)) return html`${file.filename}`;
  const chosen = field?.choices?.find(({ selected }) => selected);
  if (source === "association") return html`${chosen?.label ?? "–"}`;
  const yours = { [name]: typedText(typed, name, attribute.types.input) ?? "" };
  const mine = Object.assign((stored.constructor as typeof BaseModel).fromJson({}), yours) as BaseModel;
  return detailOf(controller, attribute, mine);
}

/** The records that are linked, and those that were chosen. */
async function linksRow(
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
