import type { FieldErrors, Locale, ParamObject, TimeZone } from "framewright/host";
import type { FieldView, Translate } from "../components/types.ts";
import type { FieldContext } from "../options.ts";
import type { FieldScope, FieldSpec, FieldValues, StagedFile } from "./spec.ts";

/** The fields of a form, with what they are filled with. */
export interface FilledFields {
  /** What the names of the inputs begin with: `wizard`, or the key of a resource. */
  readonly key: string;
  /** Where they are in their form, unless at its top: what their paths and ids begin with. */
  readonly below?: { readonly path: string; readonly id: string };
  readonly fields: readonly FieldSpec[];
  /** The stored values; undefined where nothing is stored yet. */
  readonly values?: FieldValues | undefined;
  /** The typed input, shown instead of the stored values. */
  readonly typed?: ParamObject | undefined;
  /** The draft, for its files. */
  readonly draft?: ParamObject | undefined;
  readonly errors?: FieldErrors | undefined;
  /** What the fields' conditions and defaults are given. */
  readonly scope?: FieldScope | undefined;
  /** The time zone of the person who fills it in. */
  readonly timeZone?: TimeZone | undefined;
  /** The person's language, in whose form numbers are entered. */
  readonly locale?: Locale | undefined;
  /** The texts of the catalogue. */
  readonly textOf?: TextOf | undefined;
}
/** A text of the catalogue, as `fields.reason`; else the framework's own of a key, where one is given, or the one in the code. */
export type TextOf = (path: string, otherwise: string, key?: string) => string;
/** As in the code. */
export const ownWords: TextOf = (_, otherwise) => otherwise;

/** An element of a form: a field, a group, rows, or the place of one that depends on others. */
export type Node = FieldNode | GroupNode | RowsNode | SlotNode | ViewNode;
/** An input, or what is in its place, that is described already. */
export interface ViewNode {
  readonly kind: "view";
  readonly path: string;
  readonly view: FieldView;
}
export interface SlotNode {
  readonly kind: "slot";
  readonly id: string;
  readonly path: string;
  /** Empty where the field is not shown. */
  readonly node: FieldNode | GroupNode | RowsNode | undefined;
}
export interface FieldNode {
  readonly kind: "field";
  readonly spec: FieldSpec;
  readonly view: FieldView;
  readonly path: string;
  /** What its choices are found with. */
  readonly context: FieldContext;
  /** What is stored already: a file, or a password (never its value). */
  readonly kept: StagedFile | "password" | undefined;
  /** A file of the draft: name and value of the hidden input that refers to it. */
  readonly reference: { readonly name: string; readonly value: string } | undefined;
  /** Name of the checkbox that removes a stored file, and whether it is checked. */
  readonly removeName: string;
  readonly isRemoved: boolean;
}
export interface NodeHeading {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly errors: readonly string[];
}
export interface GroupNode extends NodeHeading {
  readonly kind: "group";
  readonly nodes: readonly Node[];
}
export interface RowsNode extends NodeHeading {
  readonly kind: "rows";
  /** What functions return for its texts. */
  readonly texts?: (t: Translate) => { readonly label?: string; readonly hint?: string };
  /** `invites`: what the buttons send, with the number of a row. */
  readonly path: string;
  readonly inputName: string;
  readonly rows: readonly RowNode[];
  /** An empty row, from which scripts make others; its number is `BLANK_ROW`. */
  readonly blank: RowNode | undefined;
  /** The most rows. */
  readonly maximum: number;
  /** Whether rows are shown by their labels until they are opened. */
  readonly collapsed: boolean;
  /** The fields of a row that are side by side on a wide screen: those of a value that is entered as rows. */
  readonly columns?: number | undefined;
  /** What may be done to rows. */
  readonly may: { readonly add: boolean; readonly move: boolean };
}
export interface RowNode {
  /** The hidden inputs that identify the stored row, by their last names. */
  readonly carried: Readonly<Record<string, string>>;
  readonly nodes: readonly Node[];
  /** What a row is called, beside its number. */
  readonly label?: string | undefined;
  /** What is wrong with the row as a whole. */
  readonly errors?: readonly string[];
  /** Marked to be removed. */
  readonly isRemoved: boolean;
  /** A row that can't be removed has no button for it. */
  readonly mayRemove: boolean;
  /** Shown open, though rows are collapsed. */
  readonly isOpen: boolean;
}
