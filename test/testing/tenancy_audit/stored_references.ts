import type { ModelInfo } from "framewright/plugins/database";
import type { MarkedRecords } from "./records.ts";

type Row = Record<string, unknown>;
type Whose = "a" | "b";
/** The ids of a tenant's rows, by model. */
export type RowIds = ReadonlyMap<ModelInfo, { has(id: string): boolean }>;

/** Finds rows that a request wrote outside of a tenant, and that refer to its records or have its texts. */
export class StoredReferences {
  readonly #records: MarkedRecords;
  /** The highest id of each table when it was read last; rows above it are new. */
  readonly #last = new Map<ModelInfo, number>();

  constructor(records: MarkedRecords) {
    this.#records = records;
  }

  /** Begins anew: what is stored now was written by nobody. */
  async take(): Promise<void> {
    for (const model of this.#models()) {
      const [row] = (await this.#records.database.knex(model.table).max("id as last")) as { last: unknown }[];
      this.#last.set(model, Number(row?.last ?? 0));
    }
  }

  /** What new rows have of a tenant; its own are passed over, and those that have something are removed. */
  async findNew(of: Whose, own: RowIds): Promise<string[]> {
    const found: string[] = [];
    for (const [model, last] of this.#last) {
      const { knex } = this.#records.database;
      const rows = (await knex(model.table).where("id", ">", last).orderBy("id")) as Row[];
      if (rows.length > 0) this.#last.set(model, Number(rows.at(-1)!.id));
      for (const row of rows.filter(({ id }) => !own.get(model)?.has(String(id)))) {
        const problems = this.inRow(model, row, of, own);
        found.push(...problems);
        if (problems.length > 0)
          await Promise.resolve(knex(model.table).where({ id: row.id }).delete()).catch(() => undefined); // another may refer to it
      }
    }
    return found;
  }

  /** What a row has of a tenant that it is not of. */
  inRow(model: ModelInfo, row: Row, of: Whose, own: RowIds): string[] {
    const where = `${model.table} ${String(row.id)}`;
    const references = [...model.associations.values()].filter(
      ({ kind, target, key }) => kind === "belongsTo" && own.get(target)?.has(String(key.of(row))),
    );
    const texts = [this.#records.marks[of], ...this.#records.files.names(of)];
    const hasText = texts.some((text) => textOf(row).includes(text));
    return [
      ...references.map(({ key, target }) => `${where} refers by ${key.columns.join(", ")} to its ${target.table}`),
      ...(hasText ? [`${where} has a text or a file of it`] : []),
    ];
  }

  /** Tables with a number for an id, which all of them have that migrations create. */
  #models(): ModelInfo[] {
    return this.#records.database
      .models()
      .filter(({ exists, columns }) => exists && /^(big)?int(eger)?$/.test(columns.get("id")?.type ?? ""));
  }
}

/** A row as text, in lower case: marks are. */
export const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)).toLowerCase();
