import type { ModelInfo } from "framewright/plugins/database";
import type { MarkedRecords } from "./records.ts";

type Row = Record<string, unknown>;
/** The rows of a tenant by table and id, as the database has them. */
type Rows = ReadonlyMap<ModelInfo, ReadonlyMap<string, Row>>;

/** The rows of the two tenants as they were made: compared after each request, and put back. */
export class Snapshot {
  readonly #records: MarkedRecords;
  #rows: Record<"a" | "b", Rows> = { a: new Map(), b: new Map() };

  constructor(records: MarkedRecords) {
    this.#records = records;
  }
  async take(): Promise<void> {
    this.#rows = { a: await this.#read("a"), b: await this.#read("b") };
  }

  /** What differs in the rows of B, in words; then puts the rows of both back. */
  async compare(): Promise<string | undefined> {
    const now = await this.#read("b");
    const changes: string[] = [];
    for (const [model, before] of this.#rows.b) {
      const after = now.get(model) ?? new Map<string, Row>();
      for (const [id, row] of before) {
        const found = after.get(id);
        if (!found) changes.push(`removed ${model.table} ${id}`);
        else if (textOf(found) !== textOf(row)) changes.push(`changed ${model.table} ${id}`);
      }
      for (const id of after.keys()) if (!before.has(id)) changes.push(`added ${model.table} ${id}`);
    }
    if (changes.length > 0) await this.#dropAdded(now);
    await this.#restore("a");
    if (changes.length > 0) await this.#restore("b");
    return changes.length > 0 ? changes.join(", ") : undefined;
  }

  async #read(side: "a" | "b"): Promise<Rows> {
    const rows = new Map<ModelInfo, Map<string, Row>>();
    for (const model of this.#records.exclusive) {
      const ids = this.#records.within(side, model).select(`${model.table}.id`);
      const found = (await ids) as unknown as { id: number | string }[];
      const read = (await this.#records.database
        .knex(model.table)
        .whereIn("id", found.map(({ id }) => id) as never)) as Row[];
      rows.set(model, new Map(read.map((row) => [String(row.id), row])));
    }
    return rows;
  }

  async #dropAdded(now: Rows): Promise<void> {
    for (const [model, after] of [...now].reverse())
      for (const id of after.keys())
        if (!this.#rows.b.get(model)?.has(id)) await this.#records.database.knex(model.table).where({ id }).delete();
  }

  /** Puts rows back that are gone or differ, parents first; until nothing changes, for tables may refer to each other. */
  async #restore(side: "a" | "b"): Promise<void> {
    const { knex } = this.#records.database;
    for (let round = 0; round < 5; round++) {
      let failed = 0;
      for (const [model, rows] of this.#rows[side]) {
        const ids = [...rows.keys()];
        const stored = new Map(
          ((await knex(model.table).whereIn("id", ids)) as Row[]).map((row) => [String(row.id), row]),
        );
        for (const [id, row] of rows) {
          const found = stored.get(id);
          if (found && textOf(found) === textOf(row)) continue;
          const write = found ? knex(model.table).where({ id }).update(row) : knex(model.table).insert(row);
          await Promise.resolve(write).catch(() => failed++);
        }
      }
      if (failed === 0) return;
    }
  }
}

const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
