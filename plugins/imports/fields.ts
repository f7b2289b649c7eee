import { columnLabel } from "framewright/plugins/exports";
import {
  type Attribute,
  allows,
  fieldLabel,
  isCredential,
  isFileField,
  isSecret,
  type Registration,
  type ResourceController,
  type ResourceRequest,
} from "framewright/plugins/resources";
import { writableNames } from "framewright/plugins/resources/toolkit";
import type { ImportMode } from "./content.ts";
import { headerZone } from "./header_zone.ts";

/** The name by which a column is mapped to the id of records. */
export const ID = "id";

/** What a column may be mapped to. */
export interface ImportField {
  readonly name: string;
  readonly label: string;
  /** Undefined for the id. */
  readonly attribute: Attribute | undefined;
  /** Whether it is written to new records, and to stored ones. */
  readonly forNew: boolean;
  readonly forStored: boolean;
  /** Whether it can be the key by which records are found. */
  readonly isKey: boolean;
  /** Whether it identifies a record: lines with the same value are about the same one. */
  readonly identifies: boolean;
  /** Of a field of rows: the attribute that has them, and by which its cells are read. */
  readonly row?: { readonly of: string; readonly name: string; readonly controller: ResourceRequest } | undefined;
}

/** What rows may do by the policy: it is checked for each of them again. */
export function allowedModes(controller: ResourceController): readonly ImportMode[] {
  const policy = controller.policyFor();
  const [creates, updates] = [allows(policy, "create"), allows(policy, "update")];
  if (creates && updates) return ["create", "update", "both"];
  return creates ? ["create"] : updates ? ["update"] : [];
}

/** What columns may be mapped to: what the policy permits to be written, and what finds records. Secrets and files are neither. */
export function importFields(controller: ResourceController): readonly ImportField[] {
  const modes = allowedModes(controller);
  const forNew = modes.includes("create") ? writableNames(controller, undefined) : [];
  const forStored = modes.includes("update") ? controller.listOf("Update") : [];
  const shown = modes.includes("update") ? [...controller.listOf("Index"), ...controller.listOf("Show")] : [];
  const { registration } = controller;
  const fields: ImportField[] = [];
  for (const name of new Set([...forNew, ...forStored, ...shown])) {
    const attribute = registration.attribute(name);
    const written = { forNew: forNew.includes(name), forStored: forStored.includes(name) };
    const identifies = findsRecords(registration, attribute);
    const isKey = modes.includes("update") && identifies;
    if (!isImportable(attribute) || !(written.forNew || written.forStored || isKey)) continue;
    fields.push({
      name,
      label: fieldLabel(controller, registration, attribute, "input"),
      attribute,
      ...written,
      isKey,
      identifies,
    });
    if (written.forNew || written.forStored) fields.push(...rowFields(controller, attribute, written));
  }
  const id = { name: ID, label: controller.t("resource.import.id"), attribute: undefined };
  return modes.includes("update") && !fields.some(({ name }) => name === ID)
    ? [...fields, { ...id, forNew: false, forStored: false, isKey: true, identifies: true }]
    : fields;
}

/** The fields of the rows of an attribute, as `lines.name`; of rows that are records their id as well. */
function rowFields(
  controller: ResourceController,
  attribute: Attribute,
  { forNew, forStored }: Pick<ImportField, "forNew" | "forStored">,
): ImportField[] {
  const rows = attribute.handler?.rows?.(controller, attribute, undefined);
  if (!rows) return [];
  const of = attribute.name;
  const whole = fieldLabel(controller, controller.registration, attribute, "input");
  const field = (name: string, label: string, own?: Attribute): ImportField => ({
    name: `${of}.${name}`,
    label: `${whole}: ${label}`,
    attribute: own,
    forNew,
    forStored,
    isKey: false,
    identifies: false,
    row: { of, name, controller: rows.controller },
  });
  const fields = rows.fields
    .filter((one) => isImportable(one.attribute) && !one.attribute.handler)
    .map((one) => field(one.attribute.name, one.label, one.attribute));
  const hasId = rows.areRecords && forStored && !fields.some(({ row }) => row?.name === ID);
  return hasId ? [...fields, { ...field(ID, controller.t("resource.import.id")), forNew: false }] : fields;
}

function isImportable(attribute: Attribute): boolean {
  const { name, column, types, handler } = attribute;
  const isRead = types.input.input !== undefined || (handler?.read !== undefined && types.input.column.type === "json");
  if (name === "lock_version" || column?.primary || column?.type === "binary" || !isRead) return false;
  return !isSecret(attribute) && !isFileField(attribute) && !isCredential(column?.name ?? name);
}

const keyTypes = new Set(["string", "text", "integer", "bigint", "uuid"]);

/** Whether records are identified by a column: it is unique, or the model has a rule of uniqueness for it. */
function findsRecords({ model }: Registration, { column, source }: Attribute): boolean {
  if (!column || source !== "column" || !keyTypes.has(column.type) || model.encrypted.has(column.name)) return false;
  return column.unique || model.class.validations[column.name]?.uniqueness !== undefined;
}

/** What each header most likely refers to: by label and by name, each field once. */
export function guessColumns(
  controller: ResourceController,
  headers: readonly string[],
  fields: readonly ImportField[],
): (string | null)[] {
  const names = new Map<string, string>();
  const spelled = fields.map((field) => ({ name: field.name, texts: spellings(controller, field) }));
  for (const rank of [0, 1, 2, 3])
    for (const { name, texts } of spelled) {
      const text = plain(texts[rank] ?? "");
      if (text !== "" && !names.has(text)) names.set(text, name);
    }
  const taken = new Set<string>();
  const withZone = (header: string) =>
    fields.find(({ attribute, row }) => attribute && !row && headerZone(controller, attribute, header))?.name;
  return headers.map((header) => {
    const name = names.get(plain(header)) ?? withZone(header);
    if (name === undefined || taken.has(name)) return null;
    taken.add(name);
    return name;
  });
}

/** Whether a header is that of a column which exports of the list have, or of the reasons in a file of errors, and which nobody can import. */
export function isExported(controller: ResourceController, header: string, fields: readonly ImportField[]): boolean {
  if (plain(header) === plain(controller.t("resource.import.reasons"))) return true;
  return controller.listOf("Index").some((name) => {
    const attribute = controller.registration.attribute(name);
    if (isSecret(attribute) || fields.some((field) => field.name === name)) return false;
    const texts = [
      fieldLabel(controller, controller.registration, attribute, "listed"),
      columnLabel(controller, attribute),
    ];
    return texts.includes(header) || headerZone(controller, attribute, header) !== undefined;
  });
}

/** What people and programs call a field, the surest first. */
function spellings(
  controller: ResourceController,
  { name, label, attribute, row }: ImportField,
): (string | undefined)[] {
  const { association } = attribute ?? {};
  const key = association?.kind === "belongsTo" ? association.key.column : undefined;
  return [label, attribute && !row ? columnLabel(controller, attribute) : undefined, name, row ? undefined : key];
}

const MAX_HEADER_CHARS = 300;
/** A header as it is compared: its letters and digits. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_HEADER_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
