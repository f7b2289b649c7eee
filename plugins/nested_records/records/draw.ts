import { type FieldErrors, html, type ParamObject, raw } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { dynamicParts } from "framewright/plugins/fields";
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
import { fieldLabel, labelOf } from "framewright/plugins/resources";
import type { HandledInput, HandledView } from "../handled.ts";
import { pathOf, pressedWithin } from "../paths.ts";
import { shownRecords } from "./load.ts";
import { isPermitted, type RecordRows, type RowsOf, rowController, rowsOfRecord } from "./record_rows.ts";
import { fieldsOf, type ShownRow } from "./row_fields.ts";
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
const newRow: ShownRow = { record: undefined, typed: undefined };

async function shownRows({ of, input, path }: Drawing, pattern: BaseModel | undefined): Promise<ShownRow[]> {
  const { rows } = of;
  const { attribute, typed, record, controller: page } = input;
  const sent = typed?.has(attribute.name) ? sentRows(typed.get(attribute.name), rows) : undefined;
  const source = record ?? pattern;
  const stored = { ...of, record: source };
  const seen = source ? await shownRecords(stored, rowController(stored)) : [];
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
  const { nodes, carried, mayRemove, row } = await fieldsOf(of, shown, { ...place, errors: own });
  const errors = [...(own.id ?? []), ...(own.base ?? [])];
  const label = rows.collapsed && shown.record ? (chosenLabel(rows, nodes) ?? labelOf(row, shown.record)) : undefined;
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

/** What the record at the other end of a through is called. */
function chosenLabel({ chosen }: RecordRows, nodes: readonly Node[]): string | undefined {
  for (const node of nodes)
    if (node.kind === "view" && node.view.name === chosen)
      return node.view.choices?.find(({ selected }) => selected === true)?.label;
  return undefined;
}

/** The fields of a has-one. */
async function drawOne(drawing: Drawing, shown: ShownRow, label: string): Promise<HandledView> {
  const { input, of } = drawing;
  const { controller: page, attribute, errors, id, inputName } = input;
  const t = (key: string, vars?: Record<string, unknown>) => page.t(key, vars);
  const own = errorsOf(errors, attribute.name);
  const { nodes, carried } = await fieldsOf(of, shown, { id: `${id}-`, inputName, errors: own });
  const wrong = [...(errors[attribute.name] ?? []), ...(own.id ?? []), ...(own.base ?? [])];
  const node: Node = { kind: "group", id, label, hint: attribute.input.hint, errors: wrong, nodes };
  const inputs = Object.entries(carried).map(([name, value]) => raw(hidden(`${inputName}[${name}]`, value)));
  const content = html`${drawNode(node, t)}${inputs}${dynamicParts(slotsOf([node]), inputName, t)}`;
  return { content, parts: viewsOf([node], t).slice(1), multipart: sendsFiles(nodes) };
}
