import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import type { Row } from "./execute.ts";

/** Of a row that was read without some columns: which. */
const OMITTED = Symbol("omitted columns");

/**
 * Columns that a read leaves out, as the long texts of a list that does not show them. Reading one from a row or a record
 * throws.
 */
export class OmittedColumns {
  readonly names: readonly string[];
  /** What rows have in place of these columns. */
  readonly prototype: object;
  readonly #accessors: PropertyDescriptorMap;

  /** `model`: what errors call it. */
  constructor(model: string, names: readonly string[]) {
    this.names = names;
    const refuse = (name: string) => errors.FW_COLUMN_OMITTED(model, name);
    const accessors = (enumerable: boolean) =>
      Object.fromEntries(names.map((name) => [name, { ...accessorOf(name, refuse), enumerable, configurable: true }]));
    this.#accessors = accessors(true);
    this.prototype = Object.defineProperties({ [OMITTED]: this }, accessors(false));
  }

  /** Gives a record what its row has in place of the columns. */
  guard(record: object): void {
    Object.defineProperties(record, this.#accessors);
  }
}

/** What a read leaves out: columns of its rows, and of the parent rows of associations. */
export interface Omission {
  readonly own: OmittedColumns | undefined;
  readonly related: ReadonlyMap<string, OmittedColumns>;
}

/** The columns of a table that are read. */
export const columnsBut = (
  omitted: OmittedColumns | undefined,
  columns: ReadonlyMap<string, ColumnInfo>,
): ColumnInfo[] => [...columns.values()].filter(({ name }) => !omitted?.names.includes(name));

/** What a row was read without. */
export const omittedFrom = (row: Readonly<Row>): OmittedColumns | undefined =>
  (row as { [OMITTED]?: OmittedColumns })[OMITTED];

/** Reading it throws; writing makes it a plain property. */
const accessorOf = (name: string, refuse: (name: string) => Error): PropertyDescriptor & ThisType<object> => ({
  get() {
    throw refuse(name);
  },
  set(value) {
    Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
  },
});
