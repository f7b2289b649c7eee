import { type FieldErrors, html, type ParamObject, Params, raw } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { dynamicParts, type FieldView } from "framewright/plugins/fields";
import {
  ADDED_MARKER,
  applyRowButtons,
  BLANK_ROW,
  drawNode,
  type FieldSpec,
  isRemovedRow,
  type Node,
  type RowNode,
  type RowsNode,
  slotsOf,
  viewsOf,
} from "framewright/plugins/fields/rows";
import { hidden } from "framewright/plugins/fields/toolkit";
import {
  allows,
  fieldLabel,
  isFileField,
  isSecret,
  labelOf,
  type ResourceRequest,
} from "framewright/plugins/resources";
import {
  attributeView,
  detailOf,
  originalMarks,
  originalsIn,
  recordFields,
  sentValue,
  versionOf,
} from "framewright/plugins/resources/toolkit";
import type { HandledInput, HandledView } from "../handled.ts";
import { pathOf, pressedWithin } from "../paths.ts";
import {
  isPermitted,
  type RecordRows,
  type RowsOf,
  rowController,
  rowsOfRecord,
  storedRows,
  writableFields,
} from "./record_rows.ts";
import { arranged, idOfRow, isLeftBlank, sentRows } from "./sent_rows.ts";

/** Draws the rows of a record's form: the typed ones, else those that are stored, or of the record that it copies. */
export async function drawRecordRows(rows: RecordRows, input: HandledInput): Promise<HandledView> {
  const { controller: page, attribute, record, pattern, errors, id, inputName } = input;
  const path = pathOf(inputName);
  const t = (key: string, vars?: Record<string, unknown>) => page.t(key, vars);
  const label = fieldLabel(page, page.registration, attribute, "input");
  const drawing: Drawing = { of: rowsOfRecord(page, rows, record), input, path };
  const shown = await shownRows(drawing, pattern);
  if (rows.isOne) return drawOne(drawing, shown[0] ?? newRow, label);
  const drawn: RowNode[] = [];
  for (const [index, row] of shown.entries()) drawn.push(await rowNode(drawing, row, index));
  const list = rowController(drawing.of);
  const mayAdd = await isPermitted(list, "create");
  const node: RowsNode = {
    kind: "rows",
    id,
    label,
    hint: attribute.input.hint,
    errors: errors[attribute.name] ?? [],
    path,
    inputName,
    rows: drawn,
    blank: mayAdd && !path.includes(BLANK_ROW) ? await rowNode(drawing, newRow, BLANK_ROW) : undefined,
    maximum: rows.maximum,
    collapsed: rows.collapsed,
    may: { add: mayAdd, move: rows.order !== undefined },
  };
  const content = html`${drawNode(node, t)}${dynamicParts(slotsOf([node]), inputName, t)}`;
  return {
    content,
    parts: viewsOf([node], t).slice(1),
    multipart: sendsFiles([...drawn, ...(node.blank ? [node.blank] : [])].flatMap((row) => row.nodes)),
  };
}

/** Whether one of the inputs sends a file. */
const sendsFiles = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => node.kind === "view" && (node.view.multipart === true || node.view.type?.isFile === true));

interface Drawing {
  readonly of: RowsOf;
  readonly input: HandledInput;
  readonly path: string;
}
/** A row that is shown: what is stored of it, and what was typed over it. */
interface ShownRow {
  readonly record: BaseModel | undefined;
  /** The stored row that a new one begins with. */
  readonly pattern?: BaseModel;
  readonly typed: ParamObject | undefined;
}
const newRow: ShownRow = { record: undefined, typed: undefined };

async function shownRows({ of, input, path }: Drawing, pattern: BaseModel | undefined): Promise<ShownRow[]> {
  const { rows } = of;
  const { attribute, typed, record, controller: page } = input;
  const sent = typed?.has(attribute.name) ? sentRows(typed.get(attribute.name), rows) : undefined;
  const source = record ?? pattern;
  const stored = source
    ? ((await storedRows({ ...of, record: source }).limit(rows.isOne ? 1 : rows.maximum)) as BaseModel[])
    : [];
  const seen = stored.filter((one) => allows(rowController(of).policyFor(one), "show"));
  if (!sent) {
    const begun = seen.map(
      (one): ShownRow =>
        record ? { record: one, typed: undefined } : { record: undefined, pattern: one, typed: undefined },
    );
    while (!rows.isOne && begun.length < rows.minimum) begun.push(newRow);
    return begun;
  }
  const spec: FieldSpec = {
    name: attribute.name,
    type: "repeated",
    options: { maximum: rows.maximum },
    fields: [], // rows within a row apply their own buttons
  };
  const changed = applyRowButtons([spec], { [attribute.name]: sent }, pressedWithin(page, path));
  const given = (changed?.[attribute.name] as ParamObject[] | undefined) ?? sent;
  const byId = new Map((record ? seen : []).map((one) => [String(ModelInfo.keyOf(one)), one]));
  return arranged(given.filter((row) => row[ADDED_MARKER] === "1" || idOfRow(row) !== undefined || !isLeftBlank(row)))
    .slice(0, Math.max(rows.maximum, seen.length))
    .map((row) => ({ record: byId.get(idOfRow(row) ?? ""), typed: row }));
}

/** What is wrong with a row, by its own names. */
const errorsOf = (errors: FieldErrors, at: string): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, list]) =>
      path.startsWith(`${at}.`) ? [[path.slice(at.length + 1), list]] : [],
    ),
  );

async function rowNode(drawing: Drawing, shown: ShownRow, number: number | string): Promise<RowNode> {
  const { of, input } = drawing;
  const { rows } = of;
  const own = errorsOf(input.errors, `${input.attribute.name}.${number}`);
  const place = { id: `${input.id}-${number}-`, inputName: `${input.inputName}[${number}]` };
  const { nodes, carried, mayRemove, row } = await fieldsOf(drawing, shown, { ...place, errors: own });
  const errors = [...(own.id ?? []), ...(own.base ?? [])];
  const label = rows.collapsed && shown.record ? labelOf(row, shown.record) : undefined;
  const isOpen = label === undefined || Object.keys(own).length > 0;
  return {
    carried,
    nodes,
    errors,
    mayRemove,
    isRemoved: shown.typed !== undefined && isRemovedRow(shown.typed),
    label,
    isOpen,
  };
}

interface RowPlace {
  readonly id: string;
  readonly inputName: string;
  /** By the names of the row. */
  readonly errors: FieldErrors;
}
interface DrawnRow {
  readonly row: ResourceRequest;
  readonly nodes: Node[];
  readonly carried: Readonly<Record<string, string>>;
  readonly mayRemove: boolean;
}
/** The inputs of a row that its own policy permits; one that may not be changed is shown as it is. */
async function fieldsOf({ of }: Drawing, { record, pattern, typed }: ShownRow, place: RowPlace): Promise<DrawnRow> {
  const row = rowController(of, typed ?? {});
  row.record = record;
  const mayWrite = record ? await isPermitted(row, "update", record) : true;
  const mayRemove = record ? await isPermitted(row, "destroy", record) : true;
  const id: Record<string, string> = record ? { id: String(ModelInfo.keyOf(record)) } : {};
  if (!mayWrite) return { row, nodes: readOnly(row, record!, of.rows, place), carried: id, mayRemove };
  const names = writableFields(row, record, of.rows);
  const isStale = place.errors.base?.includes(row.t("resource.stale_part")) === true;
  const sent = typed && new Params(isStale ? touched(row, record!, names, typed) : typed);
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
function touched(row: ResourceRequest, _record: BaseModel, names: readonly string[], typed: ParamObject): ParamObject {
  const originals = originalsIn(row.params);
  const sent = new Params(typed);
  const kept = names.filter((name) => {
    const attribute = row.registration.attribute(name);
    return attribute.handler !== undefined || originals?.has(attribute, sentValue(attribute, sent)) === false;
  });
  return Object.fromEntries(Object.entries(typed).filter(([name]) => kept.includes(name) || name === "id"));
}

/** An input stands below its row, wherever its own form would have it. */
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

/** The fields of a has-one. */
async function drawOne(drawing: Drawing, shown: ShownRow, label: string): Promise<HandledView> {
  const { input } = drawing;
  const { controller: page, attribute, errors, id, inputName } = input;
  const t = (key: string, vars?: Record<string, unknown>) => page.t(key, vars);
  const own = errorsOf(errors, attribute.name);
  const { nodes, carried } = await fieldsOf(drawing, shown, { id: `${id}-`, inputName, errors: own });
  const wrong = [...(errors[attribute.name] ?? []), ...(own.id ?? []), ...(own.base ?? [])];
  const node: Node = { kind: "group", id, label, hint: attribute.input.hint, errors: wrong, nodes };
  const inputs = Object.entries(carried).map(([name, value]) => raw(hidden(`${inputName}[${name}]`, value)));
  const content = html`${drawNode(node, t)}${inputs}${dynamicParts(slotsOf([node]), inputName, t)}`;
  return { content, parts: viewsOf([node], t).slice(1), multipart: sendsFiles(nodes) };
}
