import { isParamObject, type ParamObject } from "framewright/host";
import { ADDED_MARKER } from "./nodes.ts";
import { DESTROY_MARKER, isRemovedRow, rowsOf } from "./read_tree.ts";
import { DEFAULT_MAX_ROWS, type FieldSpec } from "./spec.ts";

/** The names of the buttons of rows; their values are paths of lists or rows, as `lines` and `lines.2`. */
export const rowButtons = {
  add: "_add",
  remove: "_remove",
  restore: "_restore",
  up: "_up",
  down: "_down",
  copy: "_copy",
} as const;
export type RowButton = keyof typeof rowButtons;

/** Whether a form was sent by a button of its rows. */
export const isRowButtonPressed = (sent: { has(name: string): boolean }): boolean =>
  Object.values(rowButtons).some((name) => sent.has(name));

/** The typed input as a button of its rows changes it; undefined if none was pressed. `params` is the whole body. */
export function applyRowButtons(
  fields: readonly FieldSpec[],
  typed: ParamObject,
  params: { get(name: string): unknown },
): ParamObject | undefined {
  for (const [button, name] of Object.entries(rowButtons) as [RowButton, string][]) {
    const value = params.get(name);
    if (typeof value !== "string") continue;
    const path = value.split(".");
    const index = button === "add" ? -1 : Number(path.pop());
    return changeRowsAt(fields, typed, path, (rows, field) => changedRows(button, rows, { index, field }));
  }
  return undefined;
}

type RowsChange = (rows: ParamObject[], field: FieldSpec) => ParamObject[];

/** What identifies the stored row of a row: a copy has none of it. */
const ROW_IDENTITY = ["_was", "id"];

interface RowPlace {
  readonly index: number;
  readonly field: FieldSpec;
}
function changedRows(button: RowButton, rows: ParamObject[], { index, field }: RowPlace): ParamObject[] {
  const row = rows[index];
  const { maximum = DEFAULT_MAX_ROWS } = field.options;
  const isFull = rows.filter((one) => !isRemovedRow(one)).length >= maximum;
  if (button === "add") return isFull ? rows : [...rows, {}];
  if (row === undefined) return rows;
  switch (button) {
    case "remove":
      return ROW_IDENTITY.some((name) => Object.hasOwn(row, name))
        ? rows.with(index, { ...row, [DESTROY_MARKER]: "1" })
        : rows.filter((one) => one !== row);
    case "restore":
      return isFull ? rows : rows.with(index, without(row, [DESTROY_MARKER]));
    case "copy":
      return isFull ? rows : rows.toSpliced(index + 1, 0, without(row, ROW_IDENTITY));
    default:
      return moved(rows, index, button === "up" ? index - 1 : index + 1);
  }
}

const without = (row: ParamObject, names: readonly string[]): ParamObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const moved = (rows: ParamObject[], from: number, to: number): ParamObject[] =>
  rows[to] === undefined ? rows : rows.with(from, rows[to]).with(to, rows[from]!);

/** Changes the rows at a path such as `people.invites`; an unknown path changes nothing. */
function changeRowsAt(
  fields: readonly FieldSpec[],
  typed: ParamObject,
  [name, ...rest]: readonly string[],
  change: RowsChange,
): ParamObject {
  const field = fields.find((one) => one.name === name);
  if (field?.type === "group") {
    const inner = typed[field.name];
    return { ...typed, [field.name]: changeRowsAt(field.fields, isParamObject(inner) ? inner : {}, rest, change) };
  }
  if (field?.type !== "repeated") return typed;
  const rows = rowsOf(Object.hasOwn(typed, field.name) ? typed[field.name] : undefined, field.rows) ?? [];
  const changed = rest.length === 0 ? change(rows, field) : changeInnerRows(field, rows, rest, change);
  return { ...typed, [field.name]: changed.map((row) => ({ ...row, [ADDED_MARKER]: "1" })) };
}

const changeInnerRows = (
  field: FieldSpec,
  rows: ParamObject[],
  [index, ...rest]: readonly string[],
  change: RowsChange,
) => rows.map((row, at) => (String(at) === index ? changeRowsAt(field.fields, row, rest, change) : row));
