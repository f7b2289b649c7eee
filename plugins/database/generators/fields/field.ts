/** The types of columns; each is a method of the migrations' schema. */
export const columnTypes = [
  "string", "text", "integer", "bigint", "decimal", "float", "boolean", "date", "datetime", "time", "json", "uuid",
] as const; // biome-ignore format: a list to read
export type ColumnType = (typeof columnTypes)[number];
/** Words for what people type in; the column of each, and what it is checked by. */
export const inputTypes = {
  email: "string",
  tel: "string",
  url: "string",
  color: "string",
  file: "json",
  enum: "string",
} as const;
export type InputType = keyof typeof inputTypes;
/** All that may follow the colon, but for what plugins add. */
export const fieldTypes = [
  ...columnTypes,
  "money",
  "belongs_to",
  "references",
  "polymorphic",
  ...Object.keys(inputTypes),
  "slug",
];
/** What deleting the target of a belongs_to may do to its rows. */
export const deletions = ["cascade", "nullify", "restrict"] as const;

/** A word that a plugin adds: its column, and a value for tests as code. */
export interface FieldWord {
  type: ColumnType;
  size: readonly number[];
  sample: string | undefined;
  /** Files of the plugin attachments(): the macro of definitions that declares them; they have no column. */
  attached?: AttachedWord;
  /** It has choices, which are in the braces; several of them where it is a list. */
  choices?: "one" | "several";
  /** Rows in a json column, whose fields are in the braces: the macro `repeated` of nestedRecords() declares them. */
  isList?: true;
}
/** Words of the plugin attachments(), while it is listed. */
export const attachedWords = ["file", "files", "image"] as const;
export type AttachedWord = (typeof attachedWords)[number];

/** One `name:type` of the command line. */
export interface Field {
  /** The name in policies, forms and JSON: `author`, `price`, `title`. */
  name: string;
  /** Its column: `author_id`, `price_cents`, `title`. */
  column: string;
  type: ColumnType | "money" | "belongs_to" | "polymorphic";
  /** What it is entered as, where the column does not determine it. */
  input?: string | undefined;
  /** It is files of its record, and no column. */
  attached?: AttachedWord;
  /** It has rows: their fields. */
  rows?: readonly Field[];
  /** A value for a test, as code, where its type has one of its own. */
  sample?: string | undefined;
  /** The values of an enum. */
  values?: readonly string[];
  /** The choices of a type of fields that a plugin adds, which its definition names. */
  choices?: readonly string[];
  nullable: boolean;
  /** Required by the model, while its column is null in the rows that exist. */
  requiredByModel?: boolean;
  /** Whether no record writes it. */
  isReadOnly?: boolean;
  unique: boolean;
  /** The fields within which it is unique; unique in the whole table when empty. */
  scope: readonly string[];
  /** Unique across all tenants on purpose. */
  everywhere?: true;
  index: boolean;
  /** As source code. */
  default: string | undefined;
  /** string{50}, decimal{10,2}. */
  size: readonly number[];
  /** The target of a belongs_to, as written: "Author", "Blogging::Post". */
  target: string;
  /** The targets of a polymorphic association, as written. */
  targets?: readonly string[];
  /** The field that a slug is built from; empty until it is known. */
  slug?: string;
  /** What deleting the target does to the rows of a belongs_to; undefined: it is refused. */
  onDelete?: (typeof deletions)[number] | undefined;
}
