import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type { HistoryCursor, HistoryEntry, HistoryFilter, HistoryPerson, StoredEntry } from "./contract.ts";
import { errors } from "./errors.ts";

const TABLE = "framewright_history";
/** Rows that one statement deletes. */
const PRUNED = 1000;

interface Row extends Omit<StoredEntry, "person" | "actor" | "changes"> {
  readonly person_type: string | null;
  readonly person_id: string | null;
  readonly person_label: string | null;
  readonly actor_type: string | null;
  readonly actor_id: string | null;
  readonly actor_label: string | null;
  readonly changes: string;
}

/** An entry that is about to be written, with its changes as JSON. */
export interface WrittenEntry extends Omit<HistoryEntry, "changes" | "label" | "tenant"> {
  readonly json: string;
  label: string;
  tenant: string | null;
}

/** All statements on the table, a row for each change of a record. */
export class HistoryStore {
  readonly #table: PluginTable<Row>;

  constructor(database: Database) {
    this.#table = new PluginTable<Row>(database, TABLE, errors.FW_HISTORY_TABLE, { dates: ["at"], numbers: ["id"] });
  }

  /** Whether the table is there. @throws 503 when the database is unavailable */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }

  /** Writes entries in the order given, of whose changes the JSON is at hand: many in one statement. */
  async insert(entries: readonly WrittenEntry[], transaction: Transaction): Promise<void> {
    const names = columns.filter((name) => entries.some((entry) => valueIn[name](entry) !== null)); // a statement costs by its values
    const row = `(${names.map(() => "?").join(", ")})`;
    const sql = `insert into ?? (${names.map(() => "??").join(", ")}) values ${entries.map(() => row).join(", ")}`;
    const values: (string | null)[] = [];
    for (const entry of entries) for (const name of names) values.push(valueIn[name](entry));
    await this.#table.run(transaction.raw(sql, [TABLE, ...names, ...values] as never));
  }

  /** The newest first. */
  async read(filter: HistoryFilter = {}, transaction?: Transaction): Promise<StoredEntry[]> {
    const { models, record, tenant, kind, person, portal, since, until, before, limit = 50 } = filter;
    const query = this.#table.rows({}, transaction).orderBy("at", "desc").orderBy("id", "desc").limit(limit);
    if (models) query.whereIn("model", [...models]);
    for (const [name, value] of Object.entries({ record, tenant, kind, portal }))
      if (value !== undefined) query.where(name, value);
    if (person) query.where({ person_id: person.id, ...(person.type === null ? {} : { person_type: person.type }) });
    if (since) query.where("at", ">=", encodeDate(since));
    if (until) query.where("at", "<", encodeDate(until));
    if (before) {
      const at = encodeDate(before.at);
      query.where("at", "<=", at).where((group) => group.where("at", "<", at).orWhere("id", "<", before.id));
    }
    return (await this.#table.read(query)).map(entryOf);
  }

  /**
   * By the keys of records: the entries by which those that are there now were created. A key may be used again, and what was
   * recorded before is another record's.
   */
  async births(models: readonly string[], records: readonly string[]): Promise<Map<string, HistoryCursor>> {
    const query = this.#table
      .rows({ kind: "created" })
      .whereIn("model", [...models])
      .whereIn("record", [...records]);
    const rows = await this.#table.read(query.select("record").max("at as at").max("id as id").groupBy("record"));
    return new Map(rows.map(({ record, at, id }) => [record, { at, id }]));
  }

  /** By the keys of records: the entries by which what had a key was deleted, the oldest first. */
  async deletions(models: readonly string[], records: readonly string[]): Promise<StoredEntry[]> {
    const query = this.#table
      .rows({ kind: "deleted" })
      .whereIn("model", [...models])
      .whereIn("record", [...records]);
    return (await this.#table.read(query.orderBy("at").orderBy("id"))).map(entryOf);
  }

  /** One entry of a record. */
  async find(id: number, filter: HistoryFilter): Promise<StoredEntry | undefined> {
    const { models = [], record = "", tenant } = filter;
    const query = this.#table
      .rows({ id, record, ...(tenant === undefined ? {} : { tenant }) })
      .whereIn("model", [...models]);
    return (await this.#table.read(query)).map(entryOf)[0];
  }

  /** Deletes entries of before an instant: of some models, or of all but some. */
  async removeBefore(
    instant: Date,
    models: { readonly of?: readonly string[]; readonly but?: readonly string[] },
  ): Promise<number> {
    let removed = 0;
    for (;;) {
      const old = this.#table.rows().where("at", "<", encodeDate(instant)).orderBy("at").limit(PRUNED).select("id");
      if (models.of) old.whereIn("model", [...models.of]);
      if (models.but && models.but.length > 0) old.whereNotIn("model", [...models.but]);
      const ids = (await this.#table.read(old)).map(({ id }) => id);
      if (ids.length === 0) return removed;
      removed += await this.#table.run(this.#table.rows().whereIn("id", ids).delete());
    }
  }
}

/** The columns of a new row, with what an entry has for each. */
const valueIn = {
  at: ({ at }: WrittenEntry) => encodeDate(at),
  kind: ({ kind }: WrittenEntry): string | null => kind,
  model: ({ model }: WrittenEntry) => model,
  record: ({ record }: WrittenEntry) => record,
  label: ({ label }: WrittenEntry) => label,
  person_type: ({ person }: WrittenEntry) => person?.type ?? null,
  person_id: ({ person }: WrittenEntry) => person?.id ?? null,
  person_label: ({ person }: WrittenEntry) => person?.label ?? null,
  actor_type: ({ actor }: WrittenEntry) => actor?.type ?? null,
  actor_id: ({ actor }: WrittenEntry) => actor?.id ?? null,
  actor_label: ({ actor }: WrittenEntry) => actor?.label ?? null,
  portal: ({ portal }: WrittenEntry) => portal,
  means: ({ means }: WrittenEntry) => means,
  source: ({ source }: WrittenEntry) => source,
  tenant: ({ tenant }: WrittenEntry) => tenant,
  changes: ({ json }: WrittenEntry) => json,
} satisfies Record<string, (entry: WrittenEntry) => string | null>;
const columns = Object.keys(valueIn) as (keyof typeof valueIn)[];

function entryOf(row: Row): StoredEntry {
  const { person_type, person_id, person_label, actor_type, actor_id, actor_label, changes, ...entry } = row;
  return {
    ...entry,
    person: personOf(person_type, person_id, person_label),
    actor: personOf(actor_type, actor_id, actor_label),
    changes: JSON.parse(changes) as StoredEntry["changes"],
  };
}

const personOf = (type: string | null, id: string | null, label: string | null): HistoryPerson | null =>
  id === null ? null : { type, id, label: label ?? id };
