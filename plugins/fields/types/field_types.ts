import type { UploadedFile } from "framewright/host";

/** The framework's own types of fields, each with the type of its values. */
export interface StandardFieldTypes {
  string: string;
  uuid: string;
  text: string;
  markdown: string;
  json: unknown;
  integer: number;
  /** A text, since a number would round it: `"9223372036854775807"`. */
  bigint: string;
  /** An exact text: `"12.34"`. */
  decimal: string;
  float: number;
  /** An exact text: `"12.34"`. */
  money: string;
  boolean: boolean;
  /** `YYYY-MM-DD` */
  date: string;
  datetime: Date;
  /** `HH:MM` or `HH:MM:SS` */
  time: string;
  email: string;
  url: string;
  tel: string;
  color: string;
  password: string;
  select: string;
  enum: string;
  association: number | string;
  radio: string;
  file: UploadedFile;
  hidden: string;
  binary: Uint8Array;
}
/**
 * All types of fields. A plugin that adds one declares it as well:
 * `declare module "framewright/plugins/fields" { interface FieldTypes { colour: string } }`.
 */
export interface FieldTypes extends StandardFieldTypes {}
/** What `as` may be. */
export type FieldTypeName = keyof FieldTypes & string;
/** What `as` of a filter may be: few of the framework's own, and those of plugins. */
export type FilterTypeName = "select" | "boolean" | "text" | "date" | Exclude<FieldTypeName, keyof StandardFieldTypes>;
