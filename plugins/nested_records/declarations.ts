import type { BaseModel, HandledValue, Transaction } from "framewright/plugins/database";
import type { FieldTypeName, InputOptions, ValueRules } from "framewright/plugins/fields";
import type { RowFields } from "framewright/plugins/fields/rows";
import type { ResourceDefinition, ResourceRequest } from "framewright/plugins/resources";

interface PlaceOptions extends Pick<InputOptions, "label" | "hint" | "condition"> {}
/** Fields that belong together. */
export interface GroupOptions extends PlaceOptions {
  /** Of a json column: the fields, by name. Of a has-one association: the names of attributes of its own definition. */
  fields: RowFields | readonly string[];
}
/** Rows within a form. */
export interface RowsOptions extends PlaceOptions {
  /**
   * Of a json column: the fields, by name. Of a has-many association: the names of attributes of its own definition; of one that
   * goes through another, of the records in between, before which the record at the other end is chosen: it needs none.
   */
  fields?: RowFields | readonly string[];
  /** The fewest rows; 0 by default. */
  minimum?: number;
  /** The most rows; 200 by default. */
  maximum?: number;
  /** Whether rows are shown by their labels until they are opened. */
  collapsed?: boolean;
  /** Of a has-many association: the column of whole numbers by which people put the rows in order. */
  order?: string;
}
/** What becomes of the value of an input without a column. */
export interface VirtualValue {
  /** The value, of the type of the input. */
  readonly value: unknown;
  readonly record: BaseModel;
  readonly controller: ResourceRequest;
  readonly transaction: Transaction;
}
/**
 * The type by which a model declares an input without a column, so that its policies may name it.
 * @example declare note: VirtualInput; // in the model, with this.virtual("note", …) in its definition
 */
export interface VirtualInput extends HandledValue {}
/** An input without a column. */
export interface VirtualOptions extends InputOptions, ValueRules {
  as: FieldTypeName;
  /** Called in the record's transaction, once its row is written. */
  save?(written: VirtualValue): void | Promise<void>;
}

/** What a definition declares by the macros of this plugin. */
export type Declaration =
  | { readonly word: "repeated"; readonly options: RowsOptions }
  | { readonly word: "fieldGroup"; readonly options: GroupOptions }
  | { readonly word: "virtual"; readonly options: VirtualOptions };

/** Module-level: found by a definition, and freed with it. */
const declarations = new WeakMap<object, Map<string, Declaration>>();
export const declarationsOf = (definition: object): ReadonlyMap<string, Declaration> =>
  declarations.get(definition) ?? new Map<string, Declaration>();

/** The macro of a word for one definition: it remembers what is declared until the model is known. */
export const declares =
  <W extends Declaration["word"]>(word: W) =>
  (definition: ResourceDefinition) =>
  (name: string, options: Extract<Declaration, { word: W }>["options"]): void => {
    const known = declarations.get(definition) ?? new Map<string, Declaration>();
    declarations.set(definition, known.set(name, { word, options } as Declaration));
  };
