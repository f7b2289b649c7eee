import { type FieldErrors, humanize, isParamObject, type ParamObject } from "framewright/host";
import type { FieldView } from "framewright/plugins/resources";
import type { FieldSpec, StagedFile, StepSpec, StepValues } from "../contract/index.ts";
import { DEFAULT_MAX_ENTRIES, entriesOf, isBlankEntry, keptEntry } from "../flow/read_step.ts";
import { choicesOf, isRequired, isStagedFile, isValues, own } from "../flow/values.ts";
import {
  draftFileAt,
  type FilesByReference,
  filesOfDraft,
  referenceName,
  removeName,
  withDraftFiles,
} from "./draft_files.ts";
import { inputText, typedText } from "./texts.ts";

/** The values of a step's form. */
export interface FormValues {
  readonly step: Pick<StepSpec, "fields">;
  /** The stored answers; undefined for a step that was not answered yet. */
  readonly values?: StepValues | undefined;
  /** The typed input, shown instead of the stored answers. */
  readonly typed?: ParamObject | undefined;
  /** The draft, for its files. */
  readonly draft?: ParamObject | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** An element of a form: a field, a group or a repeated field. */
export type Node = FieldNode | GroupNode | RepeatedNode;
export interface FieldNode {
  readonly kind: "field";
  readonly spec: FieldSpec;
  readonly view: FieldView;
  /** What is stored already: a file, or a password (never its value). */
  readonly kept: StagedFile | "password" | undefined;
  /** A file of the draft: name and value of the hidden input that refers to it. */
  readonly reference: { readonly name: string; readonly value: string } | undefined;
  /** Name of the checkbox that removes a stored file, and whether it is checked. */
  readonly removeName: string;
  readonly isRemoved: boolean;
}
interface NodeHeading {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly errors: readonly string[];
}
export interface GroupNode extends NodeHeading {
  readonly kind: "group";
  readonly nodes: readonly Node[];
}
export interface RepeatedNode extends NodeHeading {
  readonly kind: "repeated";
  /** `invites`: the value of the add button. */
  readonly path: string;
  readonly inputName: string;
  readonly entries: readonly { readonly was: string | undefined; readonly nodes: readonly Node[] }[];
  readonly isFull: boolean;
}

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
}

export function nodesOf({ step, values, typed, draft, errors = {} }: FormValues): Node[] {
  const shown = typed && withDraftFiles(step.fields, typed, draft);
  const filled: FormState = { values, typed: shown, errors, files: filesOfDraft(draft) };
  return step.fields.map((field) => nodeOf(field, filled, { path: "", name: "wizard" }));
}

function nodeOf(field: FieldSpec, filled: FormState, parent: FieldPosition): Node {
  const at: FieldPosition = { path: `${parent.path}${field.name}`, name: `${parent.name}[${field.name}]` };
  if (field.type === "group") return groupOf(field, filled, at);
  return field.type === "repeated" ? repeatedOf(field, filled, at) : fieldNode(field, filled, at, parent);
}

export const idOf = ({ path }: Pick<FieldPosition, "path">): string => `wizard_${path.replaceAll(".", "-")}`;
const fieldLabel = ({ name, options }: FieldSpec): string => options.label ?? humanize(name);
const nodeHeading = (field: FieldSpec, { errors }: FormState, at: FieldPosition): NodeHeading => ({
  id: idOf(at),
  label: fieldLabel(field),
  hint: field.options.hint,
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
  };
  const place = { path: `${at.path}.`, name: at.name };
  return {
    kind: "group",
    ...nodeHeading(field, filled, at),
    nodes: field.fields.map((one) => nodeOf(one, inner, place)),
  };
}

function repeatedOf(field: FieldSpec, filled: FormState, at: FieldPosition): RepeatedNode {
  const { minimum = 0, maximum = DEFAULT_MAX_ENTRIES } = field.options;
  const entries = [...entriesIn(field, filled)];
  while (entries.length < minimum) entries.push({ was: undefined, typed: undefined, values: undefined });
  const nodes = entries.map(({ was, ...one }, index) => {
    const place = { path: `${at.path}.${index}.`, name: `${at.name}[${index}]` };
    return {
      was,
      nodes: field.fields.map((inner) => nodeOf(inner, { ...one, errors: filled.errors, files: filled.files }, place)),
    };
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

type Entry = Omit<FormState, "errors" | "files"> & { was: string | undefined };

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
    .filter((entry) => entry[ADDED_MARKER] === "1" || !isBlankEntry(field, entry, kept))
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

function fieldNode(field: FieldSpec, filled: FormState, at: FieldPosition, parent: FieldPosition): FieldNode {
  const stored = keptValue(filled, field.name);
  const drafted = field.type === "file" ? draftFileAt(filled.typed, field.name, filled.files) : undefined;
  const kept = drafted ?? keptFileOrPassword(field, stored);
  const reference = drafted && {
    name: `${parent.name}[${referenceName(field.name)}]`,
    value: String(typedValue(filled, referenceName(field.name))),
  };
  const isRemoved = typedValue(filled, removeName(field.name)) === "1";
  const view = viewOf(field, filled, at, kept !== undefined);
  const boxName = `${parent.name}[${removeName(field.name)}]`;
  return { kind: "field", spec: field, view, kept, reference, removeName: boxName, isRemoved };
}

function keptFileOrPassword(field: FieldSpec, stored: unknown): FieldNode["kept"] {
  if (field.type === "file" && isStagedFile(stored)) return stored;
  return isPassword(field, stored) ? "password" : undefined;
}

const isPassword = ({ type }: FieldSpec, stored: unknown): boolean => type === "password" && typeof stored === "string";

function viewOf(field: FieldSpec, filled: FormState, at: FieldPosition, isKept: boolean): FieldView {
  const { options } = field;
  const value = field.type === "file" || field.type === "password" ? undefined : shownValue(field, filled);
  const view: FieldView = {
    name: field.name,
    as: field.type,
    label: fieldLabel(field),
    id: idOf(at),
    inputName: at.name,
    value,
    required: isRequired(field) && !isKept,
    errors: filled.errors[at.path] ?? [],
  };
  if (options.hint !== undefined) view.hint = options.hint;
  if (options.placeholder !== undefined) view.placeholder = options.placeholder;
  if (options.autocomplete !== undefined) view.autocomplete = options.autocomplete;
  if (field.type === "boolean") view.checked = value === "1" || value === "true" || value === "on";
  if (options.accept) view.attributes = { accept: options.accept.join(",") };
  const choices = choicesOf(field);
  if (choices) view.choices = choices.map((choice) => ({ ...choice, selected: choice.value === value }));
  return view;
}

function shownValue(field: FieldSpec, filled: FormState): string | undefined {
  const typed = typedValue(filled, field.name);
  if (typed !== undefined) return typedText(typed);
  const stored = filled.values ? own(filled.values, field.name) : field.options.default;
  return inputText(field, stored);
}
