import type { AnyRecord, AttributeName } from "framewright/plugins/database";
import type { GroupOptions, RowsOptions, VirtualOptions } from "./declarations.ts";

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** Rows within the form: of a json column, or the records of a has-many association. */
    repeated(name: AttributeName<M>, options: RowsOptions): void;
    /** Fields that belong together: of a json column, or the record of a has-one association. */
    fieldGroup(name: AttributeName<M>, options: GroupOptions): void;
    /** An input without a column: it is checked by its rules and handed to `save`, and never written by itself. */
    virtual(name: string, options: VirtualOptions): void;
  }
}

declare module "framewright/plugins/fields" {
  interface FieldTypes {
    rows: unknown;
    /** Names and their values: an object of texts in a json column. */
    key_value: Readonly<Record<string, string>>;
  }
}
