import {
  type FieldErrors,
  humanize,
  isParamObject,
  type Locale,
  type ParamObject,
  type TimeZone,
} from "framewright/host";
import {
  choiceOf,
  defaultOf,
  type FieldContext,
  type FieldView,
  fieldView,
  isDynamic,
} from "framewright/plugins/fields";
import type { FieldScope, FieldSpec, StepValues } from "../contract/index.ts";
import { kindOf } from "../flow/field_kind.ts";
import { declaredOf } from "../flow/read_field.ts";
import { DEFAULT_MAX_ENTRIES, entriesOf, isBlankEntry, keptEntry, nobody, typedFieldValue } from "../flow/read_step.ts";
import { hiddenValue, isStagedFile, isValues, own, walkFields } from "../flow/values.ts";
import {
  draftFileAt,
  type FilesByReference,
  filesOfDraft,
  referenceName,
  removeName,
  withDraftFiles,
} from "./draft_files.ts";
import {
  type FieldNode,
  type FormValues,
  type GroupNode,
  type Node,
  type NodeHeading,
  ownWords,
  type RepeatedNode,
  type TextOf,
} from "./node_types.ts";
import { inputText, typedText } from "./texts.ts";

/** A position in the form: the path for errors and ids, the name for inputs. */
interface FieldPosition {
  readonly path: string;
  readonly name: string;
}
interface FormState {
  readonly values: StepValues | undefined;
  readonly typed: ParamObject | undefined;
  readonly errors: FieldErrors;
  readonly files: FilesByReference;
  readonly scope: FieldScope;
  readonly timeZone: TimeZone | undefined;
  readonly locale: Locale | undefined;
  readonly textOf: TextOf;
}

export function nodesOf(form: FormValues): Node[] {
  const { step, values, typed, draft, errors = {}, scope = nobody, timeZone, locale, textOf = ownWords } = form;
  const shown = typed && withDraftFiles(step.fields, typed, draft);
  const files = filesOfDraft(draft);
  const filled: FormState = { values, typed: shown, errors, files, scope, timeZone, locale, textOf };
  return nodesIn(step.fields, filled, { path: "", name: "wizard" });
}

/** The fields of one level, in order: what each depends on stands before it. */
function nodesIn(fields: readonly FieldSpec[], filled: FormState, parent: FieldPosition): Node[] {
  const nodes: Node[] = [];
  walkFields(fields, filled.scope, (field, context, isShown) => {
    const at: FieldPosition = { path: `${parent.path}${field.name}`, name: `${parent.name}[${field.name}]` };
    const node = isShown ? nodeOf(field, filled, { at, parent, context }) : undefined;
    if (isDynamic(field.options)) nodes.push({ kind: "slot", id: idOf(at), path: at.path, node });
    else if (node) nodes.push(node);
    return isShown ? currentValue(field, filled, context) : hiddenValue(field);
  });
  return nodes;
}

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
function nodeOf(field: FieldSpec, filled: FormState, position: NodePosition): FieldNode | GroupNode | RepeatedNode {
  if (field.type === "group") return groupOf(field, filled, position.at);
  return field.type === "repeated" ? repeatedOf(field, filled, position.at) : fieldNode(field, filled, position);
}

export const idOf = ({ path }: Pick<FieldPosition, "path">): string => `wizard_${path.replaceAll(".", "-")}`;
/** What a field is called: by the catalogue for its wizard, by itself, else by its name. */
export const fieldLabel = ({ name, options }: FieldSpec, textOf: TextOf): string =>
  textOf(`fields.${name}`, options.label ?? humanize(name));
/** What stands below it; undefined for nothing. */
const fieldHint = ({ name, options }: FieldSpec, textOf: TextOf): string | undefined =>
  textOf(`hints.${name}`, options.hint ?? "") || undefined;
const nodeHeading = (field: FieldSpec, { errors, textOf }: FormState, at: FieldPosition): NodeHeading => ({
  id: idOf(at),
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
  const inner: FormState = {
    values: isValues(kept) ? kept : undefined,
    typed,
    errors: filled.errors,
    files: filled.files,
    scope: filled.scope,
    timeZone: filled.timeZone,
    locale: filled.locale,
    textOf: filled.textOf,
  };
  const place = { path: `${at.path}.`, name: at.name };
  return {
    kind: "group",
    ...nodeHeading(field, filled, at),
    nodes: nodesIn(field.fields, inner, place),
  };
}

function repeatedOf(field: FieldSpec, filled: FormState, at: FieldPosition): RepeatedNode {
  const { minimum = 0, maximum = DEFAULT_MAX_ENTRIES } = field.options;
  const entries = [...entriesIn(field, filled)];
  while (entries.length < minimum) entries.push({ was: undefined, typed: undefined, values: undefined });
  const nodes = entries.map(({ was, ...one }, index) => {
    const place = { path: `${at.path}.${index}.`, name: `${at.name}[${index}]` };
    const { errors, files, scope, timeZone, locale, textOf } = filled;
    return { was, nodes: nodesIn(field.fields, { ...one, errors, files, scope, timeZone, locale, textOf }, place) };
  });
  const isFull = nodes.length >= maximum;
  return {
    kind: "repeated",
    ...nodeHeading(field, filled, at),
    path: at.path,
    inputName: at.name,
    entries: nodes,
    isFull,
  };
}

type Entry = Pick<FormState, "typed" | "values"> & { was: string | undefined };

/** The typed entries, without blank ones that were not added by a button; else the stored entries. */
function entriesIn(field: FieldSpec, filled: FormState): Entry[] {
  const kept = keptValue(filled, field.name);
  const given = typedValue(filled, field.name);
  const typed = given === undefined ? undefined : entriesOf(given);
  if (!typed) {
    const list = Array.isArray(kept) ? kept.filter(isValues) : [];
    return list.map((values, index) => ({ was: String(index), values, typed: undefined }));
  }
  return typed
    .filter((entry) => entry[ADDED_MARKER] === "1" || !isBlankEntry(field, entry, kept, filled.scope))
    .slice(0, maxShownEntries(field, kept))
    .map((entry) => {
      const values = keptEntry(entry, kept);
      const isKept = Object.keys(values).length > 0;
      return { was: isKept ? String(entry._was) : undefined, values: isKept ? values : undefined, typed: entry };
    });
}
/** A limit on shown entries: without one, a small forged draft would produce a page of many megabytes. */
const maxShownEntries = ({ options: { maximum = DEFAULT_MAX_ENTRIES } }: FieldSpec, kept: unknown): number =>
  Math.max(maximum, DEFAULT_MAX_ENTRIES, Array.isArray(kept) ? kept.length : 0);
/** The input that marks an added entry, which is shown even while it is blank. */
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
  const place = { name: field.name, id: idOf(at), inputName: at.name, value, errors, timeZone, locale };
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
  if (typed !== undefined) return typedText(typed);
  if (filled.values) return inputText(field, own(filled.values, field.name));
  return inputText(
    field,
    field.options.default === undefined ? undefined : defaultOf(declaredOf(field), context, kindOf(field)),
  );
}

/** The paths of the fields that are shown and depend on others. */
export const dynamicPaths = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === "field") return [];
    if (node.kind === "slot") return node.node ? [node.path, ...dynamicPaths([node.node])] : [];
    return node.kind === "group" ? dynamicPaths(node.nodes) : node.entries.flatMap((one) => dynamicPaths(one.nodes));
  });
