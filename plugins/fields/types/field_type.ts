import type { ParamObject, ParamValue, SafeHtml } from "framewright/host";
import type { BaseModel, ColumnInfo, ColumnType, ModelInfo, Query, Rules } from "framewright/plugins/database";
import type { Display, DisplayOptions } from "../components/displays.ts";
import type { Input } from "../components/inputs.ts";
import type { FieldView, FilterView, Translate } from "../components/types.ts";

/** What is read: a value, null for none; or what is wrong, as a key of texts or the text itself. */
export type Read<V> =
  | { readonly value: V | null }
  | { readonly problem: string; readonly vars?: Record<string, unknown> };

/** What a value is read by, beside what was sent. */
export interface ReadBy {
  /** The column that stores it, where it is a model's attribute. */
  readonly column?: ColumnInfo | undefined;
  /** The model whose records are chosen from. */
  readonly target?: ModelInfo | undefined;
  /** Whether it is sent for a record, whose model has rules of its own. */
  readonly ofRecord?: boolean;
  /** Of a file: the types that are accepted, and its most bytes. */
  readonly accept?: readonly string[] | undefined;
  readonly maximum?: number | undefined;
  /** Of an amount of money: its currency. */
  readonly currency?: string | undefined;
  /** Of a slider: its ends and its step. */
  readonly range?: { readonly from: number; readonly to: number; readonly step?: number } | undefined;
}

/** How a list is filtered by a field of a type. */
export interface FieldFilter<V = unknown> {
  /** Draws the filter above the list; by default a box for a text. */
  input?(view: FilterView, t: Translate): SafeHtml;
  /** Narrows by a value that `coerce` has read; by default to the rows that have it. `column` includes the table. */
  apply?(query: Query<BaseModel>, column: string, value: V): unknown;
  /** Whether only filters that name the type are so; else those of its fields are, too. */
  onlyNamed?: boolean;
}

/** The column of a type: a method of the migrations' schema, and its size (`t.string("tint", 7)`). */
export interface FieldColumn {
  readonly type: Exclude<ColumnType, "binary">;
  readonly size?: readonly number[];
}

/** What is around an input: its label before it, within it, as the legend of a group; or nothing, nor is it seen. */
export type FieldFrame = "label" | "inline" | "group" | "none";

type RowValues = Readonly<Record<string, unknown>>;
/** Of a type whose values are entered as rows, as names with their values: the fields of a row, and what rows are of a value. */
export interface ValueRows<V = unknown> {
  /** The fields by name, with their rules; `text` is the key of the text that they are called by. */
  readonly fields: Readonly<Record<string, Rules & { readonly as: string; readonly text?: string }>>;
  /** The field that no two rows may have the same value of. */
  readonly key: string;
  toRows(value: V): RowValues[];
  fromRows(rows: readonly RowValues[]): V;
}

interface Described<V> {
  /** What a migration makes of it; a string by default. */
  column: FieldColumn;
  /** What an empty field has: null by default. */
  empty: unknown;
  /** Where its label is: before it by default; "inline" where the input draws it, "group" as a legend, "none" for what nobody sees. */
  frame: FieldFrame;
  /** Whether it takes the whole width, of forms and pages, or of forms alone. */
  wide: boolean | "form";
  /** Whether the cells of lists are at the right. */
  numeric: boolean;
  /** An empty input keeps what is stored, which is never shown again. */
  isSecret: boolean;
  /** It is sent as a file, and stored by the plugin `storage()`. */
  isFile: boolean;
  /** It has several values, or parts, and its input is given all that was typed, as JSON. */
  isList: boolean;
  /** Whether a field needs `choices`. */
  needsChoices: boolean;
  /** There are few distinct values: their HTML in lists is cached. */
  isCached: boolean;
  /** `display` also takes what the database returned, before it is converted. */
  readsStored: boolean;
  /** Of a related record `display` needs nothing but `toLabel()`. */
  byLabel: boolean;
  /** Whether forms have such fields under "More fields", unless they declare `secondary`. */
  isSecondary: boolean;
  /** `display` links to another site or program; where people should stay on the page, they see the text. */
  isLink: boolean;
  /** Its word in `fw g res:scaffold Thing tint:colour` is that of the type; false for none. */
  scaffold: boolean;
  /** A value for tests and seeds, undefined where there is none. */
  sample(): V | undefined;
}

/** What is declared of a type of fields; each part has a default that suits a line of text. */
export interface FieldTypeOptions<V = unknown> extends Partial<Described<V>> {
  /** Draws the input; null for a type that nobody can enter. */
  input?: Input | null;
  /** Shows a value on the page of a record, as HTML that is safe; it is never empty. */
  display?(value: V, options: DisplayOptions): SafeHtml;
  /** Shows a value in lists, where `truncate` is set; by default as `display`. */
  cell?(value: V, options: DisplayOptions): SafeHtml;
  /** Reads a text of a form; a text, a number or a boolean of JSON is the same text. It is never empty. */
  coerce?(text: string, by: ReadBy): Read<V>;
  /** Reads a list or an object, as JSON and forms with such names send them; without it they are refused. */
  coerceDocument?(given: ParamObject | ParamValue[], by: ReadBy): Read<V>;
  /** Reads whatever was sent, empty texts, null and files as well, in place of `coerce` and `coerceDocument`. */
  read?(given: ParamValue, by: ReadBy): Read<V>;
  /** What is wrong with a value, as a key of texts or the text itself; true for nothing. */
  validate?(value: V, by: ReadBy): true | string;
  /** The value as JSON has it; `coerce` takes it back. */
  json?(value: V): unknown;
  /** The value of what `json` returned, of answers and jobs that were stored; by default what `coerce` reads. */
  parse?(stored: unknown): V | null;
  /** The value as its input has it; `coerce` takes it back. */
  text?(value: V): string;
  /** How lists are filtered by it; false where they can't be. */
  filter?: FieldFilter<V> | false;
  /** Where its values are entered as rows, which are read and drawn in place of `read` and `input`. */
  rows?: ValueRows<V>;
}

/** A type of fields, complete: what `defineFieldType` returns. */
export interface FieldType<V = unknown> extends Readonly<Described<V>> {
  readonly input: Input | undefined;
  readonly display: Display;
  readonly cell: Display;
  read(given: ParamValue, by: ReadBy): Read<V>;
  validate(value: V, by: ReadBy): true | string;
  /** Undefined where JSON has the value itself. */
  readonly json: ((value: unknown) => unknown) | undefined;
  /** The value of what JSON has; undefined where that is the value itself. */
  readonly parse: ((stored: unknown) => V | null) | undefined;
  /** Undefined where the input has the value's own text. */
  readonly text: ((value: unknown) => string) | undefined;
  readonly filter: FieldFilter<V> | undefined;
  /** Undefined where it is entered by an input of its own. */
  readonly rows?: ValueRows<V>;
}

/** Where types are found by their names. */
export interface FieldTypeTable {
  get(name: string): FieldType | undefined;
  has(name: string): boolean;
  entries(): Iterable<readonly [name: string, type: FieldType]>;
}

/** The column of fields that sets nothing else. */
export const textColumn: FieldColumn = { type: "string" };
export type { Display, DisplayOptions, FieldView, FilterView, Input, Translate };
