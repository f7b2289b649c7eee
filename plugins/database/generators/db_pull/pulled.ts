import type { ModelFile } from "framewright/generators";
import type { ColumnInfo } from "framewright/plugins/database";
import type { filesOf, Resource } from "../../../../generators/toolkit/index.ts";
import type { Linkable } from "../fields/code.ts";
import type { Entry } from "../fields/model_parts.ts";
import type { TableFacts } from "./read_schema.ts";

/** A table that becomes a model. */
export interface Pulled {
  facts: TableFacts;
  resource: Resource;
  files: ReturnType<typeof filesOf>;
  /** The columns of its key; none for a view or a table without one. */
  key: readonly string[];
  /** The columns that the model has. */
  columns: readonly ColumnInfo[];
  /** Those that it ignores. */
  ignored: readonly string[];
}

/** An association of several columns. */
export interface Joint extends Entry {
  columns: readonly string[];
  /** Those that neither the record's key nor another association has. */
  own: readonly string[];
  /** Whether a record may be without it. */
  isOptional: boolean;
}

/** A pulled table with the parts of its model. */
export interface PulledModel extends Pulled {
  fields: readonly Linkable[];
  joint: readonly Joint[];
  /** The associations besides those of `fields`. */
  has: readonly Entry[];
  label: readonly string[] | undefined;
}

/** A model that an association may lead to: pulled, or the application's own. */
export interface Target {
  constant: string;
  table: string;
  key: readonly string[] | undefined;
}

/** A model of the application with the table that its text names. */
export interface KnownModel extends ModelFile {
  table: string;
  /** Whether an earlier run wrote it. */
  isPulled: boolean;
}
