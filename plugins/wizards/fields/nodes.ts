import { type FieldErrors, humanize, isParamObject, type ParamObject } from "framewright/host";
import type { FieldView } from "framewright/plugins/resources";
import type { FieldSpec, StagedFile, StepSpec, StepValues } from "../contract/index.ts";
import { entriesOf, entryBefore, isBlankEntry, MOST_ENTRIES } from "../flow/read_step.ts";
import { choicesOf, isRequired, isStagedFile, isValues, own } from "../flow/values.ts";
import { type Files, filesOfDraft, fileTyped, referenceName, removeName, withDraftFiles } from "./draft_files.ts";
import { textOf, typedText } from "./texts.ts";

/** What a step's form is filled with. */
export interface Filling {
  readonly step: Pick<StepSpec, "fields">;
  /** What is kept; undefined for a step that was not answered yet. */
  readonly values?: StepValues | undefined;
  /** What was typed: shown instead of what is kept. */
  readonly typed?: ParamObject | undefined;
  /** What is kept unsent: the files that were sent with it. */
  readonly draft?: ParamObject | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** A part of a form. */
export type Node = FieldNode | GroupNode | RepeatedNode;
export interface FieldNode {
  readonly kind: "field";
  readonly spec: FieldSpec;
  readonly view: FieldView;
  /** What lies there already: a file by its name, a password. */
  readonly kept: StagedFile | "password" | undefined;
  /** A file of the draft: the name and the value of the input that says so. */
  readonly reference: { readonly name: string; readonly value: string } | undefined;
  /** Name of the box that takes a kept file out, and whether it is ticked. */
  readonly removeName: string;
  readonly isRemoved: boolean;
}
interface Titled {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly errors: readonly string[];
}
export interface GroupNode extends Titled {
  readonly kind: "group";
  readonly nodes: readonly Node[];
}
export interface RepeatedNode extends Titled {
  readonly kind: "repeated";
  /** `invites`, as the buttons name it. */
  readonly path: string;
  readonly inputName: string;
  readonly entries: readonly { readonly was: string | undefined; readonly nodes: readonly Node[] }[];
  readonly isFull: boolean;
}

/** Where in the form something stands: its path for errors and ids, its name for inputs. */
interface Place {
  readonly path: string;
  readonly name: string;
}
interface Filled {
  readonly values: StepValues | undefined;
  readonly typed: ParamObject | undefined;
  readonly errors: FieldErrors;
  readonly files: Files;
}

export function nodesOf({ step, values, typed, draft, errors = {} }: Filling): Node[] {
  const shown = typed && withDraftFiles(step.fields, typed, draft);
  const filled: Filled = { values, typed: shown, errors, files: filesOfDraft(draft) };
  return step.fields.map((field) => nodeOf(field, filled, { path: "", name: "wizard" }));
}

function nodeOf(field: FieldSpec, filled: Filled, parent: Place): Node {
  const at: Place = { path: `${parent.path}${field.name}`, name: `${parent.name}[${field.name}]` };
  if (field.type === "group") return groupOf(field, filled, at);
  return field.type === "repeated" ? repeatedOf(field, filled, at) : fieldNode(field, filled, at, parent);
}

export const idOf = ({ path }: Pick<Place, "path">): string => `wizard_${path.replaceAll(".", "-")}`;
const labelOf = ({ name, options }: FieldSpec): string => options.label ?? humanize(name);
const titled = (field: FieldSpec, { errors }: Filled, at: Place): Titled => ({
  id: idOf(at),
  label: labelOf(field),
  hint: field.options.hint,
  errors: errors[at.path] ?? [],
});
const typedOf = ({ typed }: Filled, name: string) => (typed && Object.hasOwn(typed, name) ? typed[name] : undefined);
const keptOf = ({ values }: Filled, name: string) => values && own(values, name);

function groupOf(field: FieldSpec, filled: Filled, at: Place): GroupNode {
  const [given, kept] = [typedOf(filled, field.name), keptOf(filled, field.name)];
  const typed = isParamObject(given) ? given : undefined;
  const inner: Filled = {
    values: isValues(kept) ? kept : undefined,
    typed,
    errors: filled.errors,
    files: filled.files,
  };
  const place = { path: `${at.path}.`, name: at.name };
  return { kind: "group", ...titled(field, filled, at), nodes: field.fields.map((one) => nodeOf(one, inner, place)) };
}

function repeatedOf(field: FieldSpec, filled: Filled, at: Place): RepeatedNode {
  const { minimum = 0, maximum = MOST_ENTRIES } = field.options;
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
  return { kind: "repeated", ...titled(field, filled, at), path: at.path, inputName: at.name, entries: nodes, isFull };
}

type Entry = Omit<Filled, "errors" | "files"> & { was: string | undefined };

/** What was typed, without the blank entries that nobody asked for; else what is kept. */
function entriesIn(field: FieldSpec, filled: Filled): Entry[] {
  const kept = keptOf(filled, field.name);
  const given = typedOf(filled, field.name);
  const typed = given === undefined ? undefined : entriesOf(given);
  if (!typed) {
    const list = Array.isArray(kept) ? kept.filter(isValues) : [];
    return list.map((values, index) => ({ was: String(index), values, typed: undefined }));
  }
  return typed
    .filter((entry) => entry[ADDED] === "1" || !isBlankEntry(field, entry, kept))
    .slice(0, mostShown(field, kept))
    .map((entry) => {
      const values = entryBefore(entry, kept);
      const isKept = Object.keys(values).length > 0;
      return { was: isKept ? String(entry._was) : undefined, values: isKept ? values : undefined, typed: entry };
    });
}
/** No form adds more; without an end a small draft would make a page of many megabytes. */
const mostShown = ({ options: { maximum = MOST_ENTRIES } }: FieldSpec, kept: unknown): number =>
  Math.max(maximum, MOST_ENTRIES, Array.isArray(kept) ? kept.length : 0);
/** Marks an entry that stays in sight, blank as it may be. */
export const ADDED = "_added";

function fieldNode(field: FieldSpec, filled: Filled, at: Place, parent: Place): FieldNode {
  const stored = keptOf(filled, field.name);
  const drafted = field.type === "file" ? fileTyped(filled.typed, field.name, filled.files) : undefined;
  const kept = drafted ?? keptAt(field, stored);
  const reference = drafted && {
    name: `${parent.name}[${referenceName(field.name)}]`,
    value: String(typedOf(filled, referenceName(field.name))),
  };
  const isRemoved = typedOf(filled, removeName(field.name)) === "1";
  const view = viewOf(field, filled, at, kept !== undefined);
  const boxName = `${parent.name}[${removeName(field.name)}]`;
  return { kind: "field", spec: field, view, kept, reference, removeName: boxName, isRemoved };
}

function keptAt(field: FieldSpec, stored: unknown): FieldNode["kept"] {
  if (field.type === "file" && isStagedFile(stored)) return stored;
  return isPassword(field, stored) ? "password" : undefined;
}

const isPassword = ({ type }: FieldSpec, stored: unknown): boolean => type === "password" && typeof stored === "string";

function viewOf(field: FieldSpec, filled: Filled, at: Place, isKept: boolean): FieldView {
  const { options } = field;
  const value = field.type === "file" || field.type === "password" ? undefined : shownValue(field, filled);
  const view: FieldView = {
    name: field.name,
    as: field.type,
    label: labelOf(field),
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

function shownValue(field: FieldSpec, filled: Filled): string | undefined {
  const typed = typedOf(filled, field.name);
  if (typed !== undefined) return typedText(typed);
  const stored = filled.values ? own(filled.values, field.name) : field.options.default;
  return textOf(field, stored);
}
