import type { BaseModel, Rules } from "framewright/plugins/database";
import type { FieldContext, InputOptions } from "../options.ts";
import type { FieldType, ValueRows } from "../types/field_type.ts";

/** A field of a form that may have fields of its own: a group, or rows. */
export interface FieldSpec {
  readonly name: string;
  /** The name of a type of fields, or "group", "repeated". */
  readonly type: string;
  /** The type, once the application's types are known. */
  readonly kind?: FieldType;
  /** Of a type whose values are entered as rows: how. */
  readonly rows?: ValueRows;
  readonly options: Omit<InputOptions, "as"> &
    Rules & {
      readonly minimum?: number;
      /** Whether rows are shown by their labels alone, until they are opened. */
      readonly collapsed?: boolean;
      /** The model whose records are chosen from, of an association. */
      readonly target?: { new (): BaseModel };
      /** The key of the text that it is called by, where the application's catalogue has none for it. */
      readonly text?: string;
    };
  /** The fields of a group or of one row. */
  readonly fields: readonly FieldSpec[];
  /** The model attribute that it was imported from. */
  readonly model?: string;
  /** The model encrypts that attribute. */
  readonly isEncrypted?: boolean;
}

/** The stored values of some fields: text, numbers, booleans, ISO times, files as `StagedFile`, groups as objects, rows as lists. */
export type FieldValues = Record<string, unknown>;

/** What the functions of fields are given beside the values of the fields before them. */
export type FieldScope = Omit<FieldContext, "values">;
/** Where nothing is known of the person who fills a form in. */
export const noScope: FieldScope = { record: undefined, currentUser: undefined, currentScopedEntity: undefined };

/** A file that was sent with a form; the slot `storage` has it. */
export interface StagedFile {
  readonly key: string;
  readonly filename: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The maximum of rows that set none. */
export const DEFAULT_MAX_ROWS = 200;
