import { pluralize } from "framewright/host";
import type { ColumnType } from "../drivers/columns.ts";

export interface Reference {
  table: string;
  onDelete: "restrict" | "cascade" | "set null";
}
export interface ColumnDefinition {
  name: string;
  type: ColumnType | "id" | "reference";
  length?: number;
  precision?: number;
  scale?: number;
  values?: readonly string[];
  notNull: boolean;
  default?: unknown;
  reference?: Reference;
}
export interface IndexDefinition {
  columns: readonly string[];
  unique: boolean;
}

/** Options of `t.belongsTo`. */
export interface BelongsToColumn {
  /** The table it refers to; by default the plural of the name. */
  table?: string;
  /** false: the record can't be without it. */
  null?: boolean;
  /** `<name>_id` by default. */
  column?: string;
  /** What deleting the other record does; "restrict" refuses it. */
  onDelete?: Reference["onDelete"];
  unique?: boolean;
}

/** A column of a migration; each method returns it, for chaining. */
export class ColumnBuilder {
  readonly #column: ColumnDefinition;
  readonly #indexes: IndexDefinition[];

  constructor(column: ColumnDefinition, indexes: IndexDefinition[]) {
    this.#column = column;
    this.#indexes = indexes;
  }
  notNull(): this {
    this.#column.notNull = true;
    return this;
  }
  default(value: unknown): this {
    this.#column.default = value;
    return this;
  }
  unique(): this {
    this.#indexes.push({ columns: [this.#column.name], unique: true });
    return this;
  }
  index(): this {
    this.#indexes.push({ columns: [this.#column.name], unique: false });
    return this;
  }
}

/** A table of a migration. The same calls give the same table on both databases. */
export class TableBuilder {
  readonly columns: ColumnDefinition[] = [];
  readonly indexes: IndexDefinition[] = [];

  id(): ColumnBuilder {
    return this.#add("id", "id", { notNull: true });
  }
  string(name: string, length = 255): ColumnBuilder {
    return this.#add(name, "string", { length });
  }
  text(name: string): ColumnBuilder {
    return this.#add(name, "text");
  }
  integer(name: string): ColumnBuilder {
    return this.#add(name, "integer");
  }
  bigint(name: string): ColumnBuilder {
    return this.#add(name, "bigint");
  }
  decimal(name: string, precision = 10, scale = 2): ColumnBuilder {
    return this.#add(name, "decimal", { precision, scale });
  }
  float(name: string): ColumnBuilder {
    return this.#add(name, "float");
  }
  boolean(name: string): ColumnBuilder {
    return this.#add(name, "boolean");
  }
  date(name: string): ColumnBuilder {
    return this.#add(name, "date");
  }
  datetime(name: string): ColumnBuilder {
    return this.#add(name, "datetime");
  }
  time(name: string): ColumnBuilder {
    return this.#add(name, "time");
  }
  json(name: string): ColumnBuilder {
    return this.#add(name, "json");
  }
  binary(name: string): ColumnBuilder {
    return this.#add(name, "binary");
  }
  uuid(name: string): ColumnBuilder {
    return this.#add(name, "uuid");
  }
  enum(name: string, values: readonly string[]): ColumnBuilder {
    return this.#add(name, "string", { values });
  }
  /** `price` becomes the column `price_cents`. */
  money(name: string): ColumnBuilder {
    return this.#add(`${name}_cents`, "bigint");
  }
  lockVersion(): ColumnBuilder {
    return this.#add("lock_version", "integer", { notNull: true, default: 0 });
  }
  timestamps(): void {
    this.#add("created_at", "datetime", { notNull: true });
    this.#add("updated_at", "datetime", { notNull: true });
  }
  belongsTo(name: string, options: BelongsToColumn = {}): ColumnBuilder {
    const { table = pluralize(name), column = `${name}_id`, unique = false, onDelete = "restrict" } = options;
    this.index([column], { unique });
    return this.#add(column, "reference", { notNull: options.null === false, reference: { table, onDelete } });
  }
  index(columns: readonly string[], { unique = false }: { unique?: boolean } = {}): void {
    this.indexes.push({ columns, unique });
  }

  #add(name: string, type: ColumnDefinition["type"], more: Partial<ColumnDefinition> = {}): ColumnBuilder {
    const column: ColumnDefinition = { name, type, notNull: false, ...more };
    this.columns.push(column);
    return new ColumnBuilder(column, this.indexes);
  }
}

/** @deprecated Use `ColumnBuilder`. */
export type ColumnWords = ColumnBuilder;
/** @deprecated Use `TableBuilder`. */
export type TableWords = TableBuilder;
