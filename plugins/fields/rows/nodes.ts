import {
  type FieldErrors,
  humanize,
  isParamObject,
  type Locale,
  type ParamObject,
  type TimeZone,
} from "framewright/host";
import type { FieldView } from "../components/types.ts";
import { textsFor } from "../input_texts.ts";
import { choiceOf, defaultOf, type FieldContext, isDynamic } from "../options.ts";
import { fieldView } from "../view.ts";
import {
  draftFileAt,
  type FilesByReference,
  filesOfDraft,
  referenceName,
  removeName,
  withDraftFiles,
} from "./draft_files.ts";
import { kindOf } from "./kind.ts";
import {
  type FieldNode,
  type FilledFields,
  type GroupNode,
  type Node,
  type NodeHeading,
  ownWords,
  type RowNode,
  type RowsNode,
  type TextOf,
} from "./node_types.ts";
import { BLANK_ROW, isBlankRow, isRemovedRow, keptRow, mostSent, rowsOf, typedFieldValue } from "./read_tree.ts";
import { declaredOf } from "./read_value.ts";
import { DEFAULT_MAX_ROWS, type FieldScope, type FieldSpec, type FieldValues, noScope } from "./spec.ts";
import { inputText, typedText } from "./texts.ts";
import { defaultRows } from "./value_rows.ts";
import { hiddenValue, isStagedFile, isValues, own, walkFields } from "./values.ts";

/** A position in the form: the path for errors, the name and the id for inputs. */
interface FieldPosition {
  readonly path: string;
  readonly name: string;
  readonly id: string;
}
interface FormState {
  readonly values: FieldValues | undefined;
  readonly typed: ParamObject | undefined;
  readonly errors: FieldErrors;
  readonly files: FilesByReference;
  readonly scope: FieldScope;
  readonly timeZone: TimeZone | undefined;
  readonly locale: Locale | undefined;
  readonly textOf: TextOf;
}

/** The elements of a form, filled with what was typed, else with what is stored. */
export function nodesOf(form: FilledFields): Node[] {
  const { key, fields, values, typed, draft, errors = {}, scope = noScope, timeZone, locale, textOf = ownWords } = form;
  const shown = typed && withDraftFiles(fields, typed, draft);
  const files = filesOfDraft(draft);
  const filled: FormState = { values, typed: shown, errors, files, scope, timeZone, locale, textOf };
  const { path, id } = form.below ?? { path: "", id: `${key}_` };
  return nodesIn(fields, filled, { path, name: key, id });
}

/** The fields of one level, in order: what each depends on comes before it. */
function nodesIn(fields: readonly FieldSpec[], filled: FormState, parent: FieldPosition): Node[] {
  const nodes: Node[] = [];
  walkFields(fields, filled.scope, (field, context, isShown) => {
    const at = positionIn(parent, field.name);
    const node = isShown ? nodeOf(field, filled, { at, parent, context }) : undefined;
    if (isDynamic(field.options)) nodes.push({ kind: "slot", id: at.id, path: at.path, node });
    else if (node) nodes.push(node);
    return isShown ? currentValue(field, filled, context) : hiddenValue(field);
  });
  return nodes;
}

const positionIn = (parent: FieldPosition, name: string): FieldPosition => ({
  path: `${parent.path}${name}`,
  name: `${parent.name}[${name}]`,
  id: `${parent.id}${name}`,
});

/** The value that a form shows for a field, as it would be stored. */
function currentValue(field: FieldSpec, { typed, values, scope }: FormState, context: FieldContext): unknown {
  if (values && !typed) return own(values, field.name);
  return typedFieldValue(field, typed ?? {}, values ?? {}, Object.assign({}, scope, context));
}

interface NodePosition {
  readonly at: FieldPosition;
  readonly parent: FieldPosition;
  readonly context: FieldContext;
}
function nodeOf(field: FieldSpec, filled: FormState, position: NodePosition): FieldNode | GroupNode | RowsNode {
  if (field.type === "group") return groupOf(field, filled, position.at);
  return field.type === "repeated" ? rowsNode(field, filled, position) : fieldNode(field, filled, position);
}

/** The id of an input by the path of its field. */
export const idOf = (key: string, path: string): string => `${key}_${path.replaceAll(".", "-")}`;
/** What a field is called: by the catalogue for its wizard, by itself, else by its name. */
export const fieldLabel = ({ name, options }: FieldSpec, textOf: TextOf): string =>
  textOf(`fields.${name}`, options.label ?? humanize(name), options.text);
/** What is shown below it; undefined for nothing. */
const fieldHint = ({ name, options }: FieldSpec, textOf: TextOf): string | undefined =>
  textOf(`hints.${name}`, options.hint ?? "") || undefined;
const nodeHeading = (field: FieldSpec, { errors, textOf }: FormState, at: FieldPosition): NodeHeading => ({
  id: at.id,
  label: fieldLabel(field, textOf),
  hint: fieldHint(field, textOf),
  errors: errors[at.path] ?? [],
});
const typedValue = ({ typed }: FormState, name: string) =>
  typed && Object.hasOwn(typed, name) ? typed[name] : undefined;
const keptValue = ({ values }: FormState, name: string) => values && own(values, name);

function groupOf(field: FieldSpec, filled: FormState, at: FieldPosition): GroupNode {
  const [given, kept] = [typedValue(filled, field.name), keptValue(filled, field.name)];
  const typed = isParamObject(given) ? given : undefined;
  const inner: FormState = { ...filled, values: isValues(kept) ? kept : undefined, typed };
  const place = { path: `${at.path}.`, name: at.name, id: `${at.id}-` };
  return { kind: "group", ...nodeHeading(field, filled, at), nodes: nodesIn(field.fields, inner, place) };
}

function rowsNode(field: FieldSpec, filled: FormState, { at, context }: NodePosition): RowsNode {
  const { minimum = 0, maximum = DEFAULT_MAX_ROWS, collapsed = false } = field.options;
  const rows = [...rowsIn(field, filled, context)];
  while (rows.filter(({ isRemoved }) => !isRemoved).length < minimum) rows.push(blankRow);
  const draw = (row: Row, number: number | string): RowNode => {
    const { was, typed, values, isRemoved } = row;
    const place = { path: `${at.path}.${number}.`, name: `${at.name}[${number}]`, id: `${at.id}-${number}-` };
    const nodes = nodesIn(field.fields, { ...filled, typed, values }, place);
    const label = collapsed ? rowLabel(nodes) : undefined;
    const isOpen = label === undefined || hasErrors(nodes);
    return { carried: was === undefined ? {} : { _was: was }, nodes, label, isRemoved, mayRemove: true, isOpen };
  };
  return {
    kind: "rows",
    ...nodeHeading(field, filled, at),
    texts: (t) => textsFor(field.options, { ...context, t }),
    path: at.path,
    inputName: at.name,
    rows: rows.map(draw),
    blank: isBlankRowDrawn(at) ? draw(blankRow, BLANK_ROW) : undefined,
    maximum,
    collapsed,
    columns: field.rows && Math.min(4, field.fields.length),
    may: { add: true, move: true },
  };
}

/** Rows within the empty row of others are added by a request. */
const isBlankRowDrawn = ({ path }: FieldPosition): boolean => !path.includes(BLANK_ROW);

/** What a row is called: by the first of its fields that has a text. */
function rowLabel(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    const view = node.kind === "field" ? node.view : undefined;
    if (!view || view.type?.frame === "none" || typeof view.value !== "string" || view.value === "") continue;
    return view.choices?.find(({ value }) => value === view.value)?.label ?? view.value.slice(0, 80);
  }
  return undefined;
}

const hasErrors = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => {
    if (node.kind === "field" || node.kind === "view") return node.view.errors.length > 0;
    if (node.kind === "slot") return node.node !== undefined && hasErrors([node.node]);
    const inner = node.kind === "group" ? node.nodes : node.rows.flatMap((row) => row.nodes);
    return node.errors.length > 0 || hasErrors(inner);
  });

type Row = Pick<FormState, "typed" | "values"> & { was: string | undefined; isRemoved: boolean };
const blankRow: Row = { was: undefined, typed: undefined, values: undefined, isRemoved: false };

/** The typed rows, without blank ones that were not added by a button, removed ones last; else the stored rows. */
function rowsIn(field: FieldSpec, filled: FormState, context: FieldContext): Row[] {
  const kept = keptValue(filled, field.name);
  const given = typedValue(filled, field.name);
  const typed = given === undefined ? undefined : rowsOf(given, field.rows);
  if (!typed && !filled.values && !filled.typed)
    return (defaultRows(field, context) ?? []).map((values) => ({ ...blankRow, values }));
  if (!typed) {
    const list = Array.isArray(kept) ? kept.filter(isValues) : [];
    return list.map((values, index) => ({ was: String(index), values, typed: undefined, isRemoved: false }));
  }
  const rows = typed
    .slice(0, mostSent(field.options.maximum ?? DEFAULT_MAX_ROWS))
    .filter((row) => row[ADDED_MARKER] === "1" || !isBlankRow(field, row, kept, filled.scope))
    .slice(0, maxShownRows(field, kept))
    .map((row) => {
      const values = keptRow(row, kept);
      const isKept = Object.keys(values).length > 0;
      const was = isKept ? String(row._was) : undefined;
      return { was, values: isKept ? values : undefined, typed: row, isRemoved: isRemovedRow(row) };
    });
  return [...rows.filter(({ isRemoved }) => !isRemoved), ...rows.filter(({ isRemoved }) => isRemoved)]; // as errors count them
}
/** A limit on shown rows: without one, a small forged draft would produce a page of many megabytes. */
const maxShownRows = ({ options: { maximum = DEFAULT_MAX_ROWS } }: FieldSpec, kept: unknown): number =>
  Math.max(maximum, MIN_SHOWN_ROWS, Array.isArray(kept) ? kept.length : 0);
const MIN_SHOWN_ROWS = 20;
/** The input that marks an added row, which is shown even while it is blank. */
export const ADDED_MARKER = "_added";

function fieldNode(field: FieldSpec, filled: FormState, { at, parent, context }: NodePosition): FieldNode {
  const stored = keptValue(filled, field.name);
  const drafted = kindOf(field).isFile ? draftFileAt(filled.typed, field.name, filled.files) : undefined;
  const kept = drafted ?? keptFileOrPassword(field, stored);
  const reference = drafted && {
    name: `${parent.name}[${referenceName(field.name)}]`,
    value: String(typedValue(filled, referenceName(field.name))),
  };
  const isRemoved = typedValue(filled, removeName(field.name)) === "1";
  const view = viewOf(field, filled, { at, context, isKept: kept !== undefined });
  const boxName = `${parent.name}[${removeName(field.name)}]`;
  return {
    kind: "field",
    spec: field,
    view,
    path: at.path,
    context,
    kept,
    reference,
    removeName: boxName,
    isRemoved,
  };
}

function keptFileOrPassword(field: FieldSpec, stored: unknown): FieldNode["kept"] {
  if (kindOf(field).isFile && isStagedFile(stored)) return stored;
  return isPassword(field, stored) ? "password" : undefined;
}

const isPassword = (field: FieldSpec, stored: unknown): boolean => kindOf(field).isSecret && typeof stored === "string";

interface Viewing {
  readonly at: FieldPosition;
  readonly context: FieldContext;
  readonly isKept: boolean;
}
function viewOf(field: FieldSpec, filled: FormState, { at, context, isKept }: Viewing): FieldView {
  const value = shownValue(field, filled, context);
  const errors = filled.errors[at.path] ?? [];
  const { timeZone, locale, textOf } = filled;
  const isUsual = () => (value ?? "") === (defaultText(field, context) ?? "");
  const place = { name: field.name, id: at.id, inputName: at.name, value, errors, timeZone, locale, isUsual };
  const said = { label: fieldLabel(field, textOf), hint: fieldHint(field, textOf) };
  const view = fieldView(Object.assign({}, declaredOf(field), said), place, kindOf(field));
  delete view.slot; // its place is the node's
  if (isKept) view.required = false;
  const { choices } = field.options;
  if (Array.isArray(choices))
    view.choices = choices.map(choiceOf).map(({ value: one, label }) => ({
      value: one,
      label: textOf(`values.${field.name}.${one}`, label),
      selected: one === value,
    }));
  return view;
}

function shownValue(field: FieldSpec, filled: FormState, context: FieldContext): string | undefined {
  const typed = typedValue(filled, field.name);
  if (typed !== undefined) return typedText(typed, kindOf(field).isList);
  if (filled.values) return inputText(field, own(filled.values, field.name));
  return defaultText(field, context);
}
const defaultText = (field: FieldSpec, context: FieldContext): string | undefined =>
  inputText(
    field,
    field.options.default === undefined ? undefined : defaultOf(declaredOf(field), context, kindOf(field)),
  );

/** The paths of the fields that are shown and depend on others. */
export const dynamicPaths = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === "field" || node.kind === "view") return [];
    if (node.kind === "slot") return node.node ? [node.path, ...dynamicPaths([node.node])] : [];
    return node.kind === "group" ? dynamicPaths(node.nodes) : node.rows.flatMap((one) => dynamicPaths(one.nodes));
  });
