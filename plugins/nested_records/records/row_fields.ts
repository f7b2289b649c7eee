import { type FieldErrors, html, type ParamObject, Params } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import type { FieldView } from "framewright/plugins/fields";
import type { Node } from "framewright/plugins/fields/rows";
import { fieldLabel, isFileField, isSecret, type ResourceRequest } from "framewright/plugins/resources";
import {
  attributeView,
  detailOf,
  originalMarks,
  originalsIn,
  recordFields,
  sentValue,
  versionOf,
} from "framewright/plugins/resources/toolkit";
import type { HandledInput } from "../handled.ts";
import { pathOf } from "../paths.ts";
import { isPermitted, type RecordRows, type RowsOf, rowController, writableFields } from "./record_rows.ts";

/** A row that is shown: what is stored of it, and what was typed over it. */
export interface ShownRow {
  readonly record: BaseModel | undefined;
  /** The stored row that a new one begins with. */
  readonly pattern?: BaseModel;
  readonly typed: ParamObject | undefined;
}

/** Where the inputs of a row are, and what is wrong with them. */
export interface RowPlace {
  readonly id: string;
  readonly inputName: string;
  /** By the names of the row. */
  readonly errors: FieldErrors;
}
/** The inputs of a row, by the controller of its own. */
export interface DrawnRow {
  readonly row: ResourceRequest;
  readonly nodes: Node[];
  readonly carried: Readonly<Record<string, string>>;
  readonly mayRemove: boolean;
}
/** The inputs of a row that its own policy permits; one that may not be changed is shown as it is. */
export async function fieldsOf(of: RowsOf, { record, pattern, typed }: ShownRow, place: RowPlace): Promise<DrawnRow> {
  const row = rowController(of, typed ?? {});
  row.record = record;
  const mayWrite = record ? await isPermitted(row, "update", record) : true;
  const mayRemove = record ? await isPermitted(row, "destroy", record) : true;
  const id: Record<string, string> = record ? { id: String(ModelInfo.keyOf(record)) } : {};
  if (!mayWrite) return { row, nodes: readOnly(row, record!, of.rows, place), carried: id, mayRemove };
  const names = writableFields(row, record, of.rows);
  const isStale = place.errors.base?.includes(row.t("resource.stale_part")) === true;
  const sent = typed && new Params(isStale ? touched(row, names, typed) : typed);
  const copied = pattern && { record: pattern, names: new Set(copiedNames(row, pattern, names)) };
  const { contexts } = recordFields(row, record, names, sent, copied);
  const nodes: Node[] = [];
  for (const name of names) {
    const attribute = row.registration.attribute(name);
    const context = contexts.get(name);
    const inputName = `${place.inputName}[${name}]`;
    const at = { id: `${place.id}${name}`, inputName };
    const inner = { controller: row, attribute, record, typed: sent, pattern, errors: place.errors, ...at };
    const filling = { record, typed: sent, errors: place.errors, ...(copied ? { pattern: copied } : {}) };
    const drawn = attribute.handler?.draw && context ? await attribute.handler.draw(inner) : undefined;
    const view = drawn ? handledView(row, attribute, place, at) : await attributeView(row, attribute, filling, context);
    nodes.push({
      kind: "view",
      path: pathOf(inputName),
      view: Object.assign(view, moved(view, row, place, at), drawn),
    });
  }
  const began = typed !== undefined && !isStale && typeof typed._version === "string";
  const attributes = names.map((name) => row.registration.attribute(name));
  const state = record && {
    _version: began ? String(typed._version) : versionOf(record, row.registration.model),
    _originals: began ? String(typed._originals ?? "") : await originalMarks(row, attributes, record),
  };
  return { row, nodes, carried: { ...id, ...state }, mayRemove };
}

/** What a copy of a row takes along: neither what the person may not read, nor files, secrets, or what only one row can have. */
function copiedNames(row: ResourceRequest, pattern: BaseModel, names: readonly string[]): string[] {
  const readable = row.listOf("Show", pattern);
  const { validations } = row.registration.model.class;
  return names.filter((name) => {
    const attribute = row.registration.attribute(name);
    const isUnique = validations[name]?.uniqueness !== undefined || attribute.column?.unique === true;
    return readable.includes(name) && !isFileField(attribute) && !isSecret(attribute) && !isUnique;
  });
}

/** Of a row that others have changed: what the person changed too; the rest is as it is stored now. */
function touched(row: ResourceRequest, names: readonly string[], typed: ParamObject): ParamObject {
  const originals = originalsIn(row.params);
  const sent = new Params(typed);
  const kept = names.filter((name) => {
    const attribute = row.registration.attribute(name);
    return attribute.handler !== undefined || originals?.has(attribute, sentValue(attribute, sent)) === false;
  });
  return Object.fromEntries(Object.entries(typed).filter(([name]) => kept.includes(name) || name === "id"));
}

/** An input is below its row, wherever its own form would have it. */
function moved(
  view: FieldView,
  row: ResourceRequest,
  { inputName }: RowPlace,
  at: { id: string; inputName: string },
): Partial<FieldView> {
  const within = (name: string) => name.replace(`${row.registration.key}[`, `${inputName}[`);
  const { removeName, keptName, editor } = view;
  return {
    ...at,
    beside: undefined,
    ...(removeName === undefined ? {} : { removeName: within(removeName) }),
    ...(keptName === undefined ? {} : { keptName: within(keptName) }),
    ...(editor ? { editor: { ...editor, preview: false } } : {}),
  };
}

type Attribute = HandledInput["attribute"];
const handledView = (
  row: ResourceRequest,
  attribute: Attribute,
  { errors }: RowPlace,
  at: { id: string; inputName: string },
): FieldView => ({
  name: attribute.name,
  as: attribute.input.as,
  type: attribute.types.input,
  label: fieldLabel(row, row.registration, attribute, "input"),
  value: undefined,
  required: false,
  errors: errors[attribute.name] ?? [],
  ...at,
});

/** What the person may read of a row that they may not change. */
function readOnly(row: ResourceRequest, record: BaseModel, { fields }: RecordRows, { id }: RowPlace): Node[] {
  const readable = row.listOf("Show", record);
  const pairs = fields
    .filter((name) => readable.includes(name))
    .map((name) => {
      const attribute = row.registration.attribute(name);
      return html`<div><dt>${fieldLabel(row, row.registration, attribute, "display")}</dt><dd>${detailOf(row, attribute, record)}</dd></div>`;
    });
  const type = row.registration.types.get("rows")!;
  const view = {
    name: id,
    as: "rows",
    type,
    label: "",
    id: `${id}shown`,
    inputName: "",
    value: undefined,
    required: false,
    errors: [],
  };
  return [{ kind: "view", path: id, view: { ...view, content: html`<dl class="fw-details">${pairs}</dl>` } }];
}
