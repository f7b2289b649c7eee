import { html, type Params, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { toInstant } from "framewright/plugins/views";
import type { FieldView } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { type Attribute, isSecret } from "../definition/attributes.ts";
import { isFile } from "../operations/file_fields.ts";
import { isUnchanged } from "../operations/unchanged.ts";
import { fieldLabel } from "../registration/resource_texts.ts";
import { isLinks, linksRow } from "./link_fields.ts";
import { detailOf } from "./show_page.ts";
import { storedText, typedText } from "./typed_text.ts";

interface Conflict {
  stored: BaseModel;
  typed: Params;
  /** What was sent, of what may be written. */
  names: readonly string[];
  fields: readonly FieldView[];
}
interface ConflictRow {
  name: string;
  label: string;
  theirs: SafeHtml;
  yours: SafeHtml;
}

/** What is stored and what was typed, side by side, where they differ. */
export async function conflictRows(controller: ResourceController, conflict: Conflict): Promise<ConflictRow[]> {
  const rows: ConflictRow[] = [];
  for (const name of conflict.names) {
    const attribute = controller.registration.attribute(name);
    const field = conflict.fields.find((one) => one.name === name);
    if (isLinks(attribute)) rows.push(...(field ? await linksRow(controller, attribute, conflict.stored, field) : []));
    else rows.push(...rowOf(controller, attribute, field, conflict));
  }
  return rows;
}

function rowOf(
  controller: ResourceController,
  attribute: Attribute,
  field: FieldView | undefined,
  { stored, typed }: Conflict,
): ConflictRow[] {
  const { name, source } = attribute;
  const label = fieldLabel(controller, controller.registration, attribute, "input");
  const yours = typedText(typed, name) ?? "";
  if ((isSecret(attribute) && yours === "") || isUnchanged(attribute, yours)) return [];
  const theirs = () => detailOf(controller, attribute, stored);
  const file = typed.get(name);
  if (isFile(file)) return [{ name, label, theirs: theirs(), yours: html`${file.filename}` }];
  if (isSame(attribute, storedText(attribute, stored) ?? "", yours)) return [];
  const chosen = field?.choices?.find(({ selected }) => selected);
  if (source === "association") return [{ name, label, theirs: theirs(), yours: html`${chosen?.label ?? "–"}` }];
  const mine = Object.assign((stored.constructor as typeof BaseModel).fromJson({}), { [name]: yours }) as BaseModel;
  return [{ name, label, theirs: theirs(), yours: detailOf(controller, attribute, mine) }];
}

/** Whether two texts stand for one value: inputs have formats of their own for times and numbers. */
function isSame({ column, cents }: Attribute, stored: string, typed: string): boolean {
  if (stored === typed.replaceAll("\r\n", "\n")) return true;
  if (stored === "" || typed === "") return false;
  if (column?.type === "datetime") return toInstant(stored)?.getTime() === toInstant(typed)?.getTime();
  if (column?.type === "time") return stored.replace(/:00$/, "") === typed.replace(/:00$/, "");
  const isNumber = cents !== undefined || column?.type === "decimal" || column?.type === "float";
  return isNumber && Number(stored) === Number(typed);
}
