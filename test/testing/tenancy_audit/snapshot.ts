import type { KeyValue, ModelInfo } from "framewright/plugins/database";
import type { MarkedRecords } from "./records.ts";
import { StoredReferences } from "./stored_references.ts";

type Row = Record<string, unknown>;
type Whose = "a" | "b";
/** The rows of a tenant by table and id, as the database has them. */
type Rows = ReadonlyMap<ModelInfo, ReadonlyMap<string, Row>>;

/** The rows of the two tenants as they were made: compared after each request, and put back. */
export class Snapshot {
  readonly #records: MarkedRecords;
  readonly #references: StoredReferences;
  #rows: Record<Whose, Rows> = { a: new Map(), b: new Map() };

  constructor(records: MarkedRecords) {
    this.#records = records;
    this.#references = new StoredReferences(records);
  }
  async take(): Promise<void> {
    this.#rows = { a: await this.#read("a"), b: await this.#read("b") };
    await this.#references.take();
  }

  /** What a request did to the rows of a tenant, and what others keep of them, in words; then puts the rows of both back. */
  async compare(theirs: Whose = "b"): Promise<string | undefined> {
    const now = await this.#read(theirs);
    const changes = this.#differences(theirs, now);
    const kept = await this.#references.findNew(theirs, now);
    if (changes.length > 0) await this.#dropAdded(theirs, now);
    const mine = theirs === "a" ? "b" : "a";
    kept.push(...(await this.#restore(mine)));
    if (changes.length > 0) await this.#restore(theirs);
    const problems = [
      ...(changes.length > 0 ? [`rows of the other tenant: ${changes.join(", ")}`] : []),
      ...(kept.length > 0 ? [`what is stored of the other tenant elsewhere: ${[...new Set(kept)].join(", ")}`] : []),
    ];
    return problems.length > 0 ? problems.join("; ") : undefined;
  }

  #differences(theirs: Whose, now: Rows): string[] {
    const changes: string[] = [];
    for (const [model, before] of this.#rows[theirs]) {
      const after = now.get(model) ?? new Map<string, Row>();
      for (const [id, row] of before) {
        const found = after.get(id);
        if (!found) changes.push(`removed ${model.table} ${id}`);
        else if (textOf(found) !== textOf(row)) changes.push(`changed ${model.table} ${id}`);
      }
      for (const id of after.keys()) if (!before.has(id)) changes.push(`added ${model.table} ${id}`);
    }
    return changes;
  }

  async #read(side: Whose): Promise<Rows> {
    const rows = new Map<ModelInfo, Map<string, Row>>();
    for (const model of this.#records.exclusive) {
      if (model.key.isMissing) continue;
      const found = (await this.#records.within(side, model).select([...model.key.names])) as object[];
      rows.set(
        model,
        await this.#stored(
          model,
          found.map((row) => model.key.of(row)!),
        ),
      );
    }
    return rows;
  }
  /** The rows with these keys, by them. */
  async #stored(model: ModelInfo, keys: readonly KeyValue[]): Promise<Map<string, Row>> {
    const read = (await model.key.whereIn(this.#records.database.knex(model.table), keys)) as Row[];
    return new Map(read.map((row) => [String(model.key.of(row)), row]));
  }

  async #dropAdded(theirs: Whose, now: Rows): Promise<void> {
    for (const [model, after] of [...now].reverse())
      for (const id of after.keys())
        if (!this.#rows[theirs].get(model)?.has(id))
          await model.key.where(this.#records.database.knex(model.table), id).delete();
  }

  /**
   * Puts rows back that are gone or differ, parents first; until nothing changes, for tables may refer to each other.
   * Returns what those that differed had of the other tenant.
   */
  async #restore(side: Whose): Promise<string[]> {
    const { knex } = this.#records.database;
    const theirs = side === "a" ? "b" : "a";
    const kept: string[] = [];
    for (let round = 0; round < 5; round++) {
      let failed = 0;
      for (const [model, rows] of this.#rows[side]) {
        const stored = await this.#stored(model, [...rows.keys()]);
        for (const [id, row] of rows) {
          const found = stored.get(id);
          if (found && textOf(found) === textOf(row)) continue;
          if (found) kept.push(...this.#references.inRow(model, found, theirs, this.#rows[theirs]));
          const write = found ? model.key.where(knex(model.table), id).update(row) : knex(model.table).insert(row);
          await Promise.resolve(write).catch(() => failed++);
        }
      }
      if (failed === 0) break;
    }
    return kept;
  }
}

const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
