import {
  type Database,
  encodeDate,
  type Knex,
  type Transaction,
  type TransactionOptions,
} from "framewright/plugins/database";
import type { EventRow, RowOwner as Owner, RunFilter, RunRow, WizardStore } from "../contract/index.ts";
import {
  EVENTS,
  encodeRow,
  eventOf,
  LEASES,
  type Row,
  RUN_COLUMNS,
  RUNS,
  runOf,
  runQuery,
  runStatement,
  runUnlessTaken,
} from "./rows.ts";

/** The default limit of a person's list of open runs. */
const MAX_LISTED_RUNS = 100;

const MAX_CLAIMS_PER_QUERY = 500;
/** The most unstarted runs that one launch deletes. */
const MAX_EVICTED_RUNS = 50;
type Due = Parameters<WizardStore["due"]>[0];
type Select = (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder;

/** Runs as rows of the application's own database. Every change is conditional, so that of two requests only one succeeds. */
export class DatabaseStore implements WizardStore {
  readonly #database: Database;
  readonly #selects = new Map<string, ReturnType<Database["prepared"]>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(row: RunRow): Promise<number | false> {
    const inserted = await runUnlessTaken(() => this.#database.insertRow(RUNS, encodeRow(row)));
    return inserted === false ? false : Number(inserted);
  }

  async byClaim(claims: readonly string[]): Promise<RunRow | undefined> {
    const select: Select = (knex, values) => knex(RUNS).whereIn("claim", values as string[]);
    const [row] = await this.#select(`claim ${claims.length}`, select, claims);
    return row;
  }
  async byClaims(claims: readonly string[]): Promise<RunRow[]> {
    const found: RunRow[] = [];
    for (let from = 0; from < claims.length; from += MAX_CLAIMS_PER_QUERY) {
      const some = claims.slice(from, from + MAX_CLAIMS_PER_QUERY);
      found.push(...(await runQuery<Row[]>(this.#runs().whereIn("claim", some))).map(runOf));
    }
    return found;
  }
  async latest(identities: readonly string[]): Promise<RunRow | undefined> {
    const select: Select = (knex, values) =>
      knex(RUNS)
        .select(RUN_COLUMNS)
        .whereIn("identity", values as string[])
        .orderBy("id", "desc")
        .limit(1);
    const [row] = await this.#select(`identity ${identities.length}`, select, identities);
    return row;
  }
  async byId(id: number): Promise<RunRow | undefined> {
    const select: Select = (knex, [value]) => knex(RUNS).select(RUN_COLUMNS).where({ id: value }).limit(1);
    const [row] = await this.#select("id", select, [id]);
    return row;
  }

  locked<T>(
    id: number,
    work: (row: RunRow | undefined, transaction: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      const [row]: Row[] = await runQuery(transaction(RUNS).where({ id }).forUpdate());
      return work(row && runOf(row), transaction);
    }, options);
  }

  async update(
    id: number,
    where: Partial<RunRow>,
    change: Partial<RunRow>,
    transaction?: Transaction,
  ): Promise<boolean> {
    const [condition, changed] = [{ id, ...encodeRow(where) }, encodeRow(change)];
    const update = transaction
      ? runQuery(this.#runs(transaction).where(condition).update(changed))
      : runStatement(() => this.#database.updateRows(RUNS, condition, changed));
    return (await update) === 1;
  }
  async delete(id: number, transaction?: Transaction): Promise<boolean> {
    const remove = () => this.#runs(transaction).where({ id }).delete();
    return (await (transaction ? runQuery(remove()) : runStatement(remove))) === 1;
  }

  async open(
    { type, id }: Owner,
    { wizard, portal, scopeGid, anchor, limit = MAX_LISTED_RUNS }: RunFilter = {},
  ): Promise<RunRow[]> {
    const filter = { wizard, portal, scope_gid: scopeGid, anchor_type: anchor?.type, anchor_id: anchor?.id };
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const names = ["owner_type", "owner_id", "state", ...given.map(([name]) => name)];
    const select: Select = (knex, values) =>
      knex(RUNS)
        .where(Object.fromEntries(names.map((name, index) => [name, values[index]])))
        .whereNotNull("started_at")
        .orderBy("id", "desc")
        .limit(limit);
    const values = given.map(([, value]) => value);
    const shape = `${names.join(" ")} ${limit}`;
    const find = (state: string) => this.#select(shape, select, [type, id, state, ...values]);
    return [...(await find("in_progress")), ...(await find("completing"))];
  }

  async unbegun({ type, id }: Owner, wizard: string, after: number): Promise<number[]> {
    const unstarted = {
      owner_type: type,
      owner_id: id,
      wizard,
      started_at: null,
      kind: "tokened",
      state: "in_progress",
    };
    const query = this.#runs()
      .select("id")
      .where(unstarted)
      .orderBy("id", "desc")
      .offset(after)
      .limit(MAX_EVICTED_RUNS);
    return (await runQuery<Row[]>(query)).map((row) => Number(row.id));
  }

  async forget(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const unstarted = { started_at: null, state: "in_progress" };
    return runStatement(() => this.#runs().whereIn("id", ids).where(unstarted).delete());
  }

  async due(what: Due, before: Date, limit: number): Promise<RunRow[]> {
    const { where, by } = dueQueries[what];
    const query = where(this.#runs()).where(by, "<", encodeDate(before)).orderBy(by).limit(limit);
    return (await runQuery<Row[]>(query)).map(runOf);
  }

  async record(event: EventRow, transaction?: Transaction): Promise<void> {
    const row = encodeRow(event);
    await runQuery(transaction ? transaction(EVENTS).insert(row) : this.#database.insertRow(EVENTS, row));
  }
  async trail(runId: number): Promise<EventRow[]> {
    const rows: Row[] = await runQuery(this.#database.knex(EVENTS).where({ run_id: runId }).orderBy("id"));
    return rows.map(eventOf);
  }
  async sweepEvents(before: Date, limit: number): Promise<number> {
    const events = this.#database.knex(EVENTS);
    const old: Row[] = await runQuery(
      events.select("id").where("at", "<", encodeDate(before)).orderBy("at").limit(limit),
    );
    const ids = old.map(({ id }) => Number(id));
    return ids.length === 0 ? 0 : runStatement(() => this.#database.knex(EVENTS).whereIn("id", ids).delete());
  }

  async lease(name: string, holder: string, until: Date): Promise<boolean> {
    const leases = () => this.#database.knex(LEASES);
    const lease = { holder, until_at: encodeDate(until) };
    const free = (query: Knex.QueryBuilder) =>
      query.where({ holder }).orWhere("until_at", "<=", encodeDate(new Date()));
    if ((await runStatement(() => leases().where({ name }).where(free).update(lease))) === 1) return true;
    return (await runUnlessTaken(() => leases().insert({ name, ...lease }))) !== false;
  }

  #runs(transaction?: Transaction): Knex.QueryBuilder {
    return (transaction ?? this.#database.knex)(RUNS);
  }
  /** Runs a select that is prepared once per shape. */
  async #select(shape: string, build: Select, values: readonly unknown[]): Promise<RunRow[]> {
    let select = this.#selects.get(shape);
    if (!select) {
      select = this.#database.prepared(build);
      this.#selects.set(shape, select);
    }
    return (await runQuery(select.rows(values))).map(runOf);
  }
}

const dueQueries: Record<Due, { by: string; where(query: Knex.QueryBuilder): Knex.QueryBuilder }> = {
  unstarted: { by: "created_at", where: (query) => query.where({ started_at: null, state: "in_progress" }) },
  expired: { by: "expires_at", where: (query) => query.where({ state: "in_progress" }) },
  stale: { by: "completing_at", where: (query) => query.where({ state: "completing" }) },
  completed: { by: "expires_at", where: (query) => query.where({ state: "completed" }) },
};
