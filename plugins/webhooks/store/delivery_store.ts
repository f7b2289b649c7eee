import { randomBytes, randomUUID } from "node:crypto";
import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type { Delivery, DeliveryState, EventDetails, NewDelivery, Try } from "../contract.ts";
import { errors } from "../errors.ts";

const DELIVERIES = "framewright_webhook_deliveries";
const TRIES = "framewright_webhook_tries";
const WEBHOOKS = "framewright_webhooks";
/** Rows of a statement. */
const CHUNK = 200;
/** Rows that are sent again by one request, and those that one statement prunes. */
const MAX_REPLAYED = 1000;
const PRUNED = 1000;

type Row = Omit<Delivery, "details"> & { readonly details: string };

/** All statements on what is sent, and on each attempt. */
export class DeliveryStore {
  readonly database: Database;
  readonly #deliveries: PluginTable<Row>;
  readonly #tries: PluginTable<Try>;
  readonly #holder = `${process.pid}-${randomUUID()}`;

  constructor(database: Database) {
    this.database = database;
    const missing = errors.FW_WEBHOOKS_TABLE;
    const dates = ["next_at", "created_at", "finished_at"];
    this.#deliveries = new PluginTable(database, DELIVERIES, missing, {
      dates,
      numbers: ["id", "webhook_id", "attempts"],
    });
    const numbers = ["id", "delivery_id", "webhook_id", "status", "milliseconds"];
    this.#tries = new PluginTable(database, TRIES, missing, { dates: ["at"], numbers });
  }

  /** Whether the tables are there. @throws 503 when the database is unavailable */
  async isInstalled(): Promise<boolean> {
    return (await this.#deliveries.exists()) && (await this.#tries.exists());
  }

  /** Stores events in the order given, with the transaction that they happen in. */
  async insert(deliveries: readonly NewDelivery[], transaction: Transaction): Promise<void> {
    const now = encodeDate(new Date());
    const rows = deliveries.map((one) => ({
      ...one,
      details: JSON.stringify(one.details),
      message: `msg_${randomBytes(18).toString("hex")}`,
      state: "waiting",
      next_at: now,
      created_at: now,
    }));
    for (let at = 0; at < rows.length; at += CHUNK)
      await this.#deliveries.run(this.#deliveries.rows({}, transaction).insert(rows.slice(at, at + CHUNK)));
  }

  /** The webhooks that have something due, besides some. */
  async dueWebhooks(except: readonly number[], limit: number): Promise<number[]> {
    const query = this.#due().groupBy("webhook_id").select("webhook_id").min("next_at as first").orderBy("first");
    if (except.length > 0) query.whereNotIn("webhook_id", [...except]);
    const rows = (await this.#deliveries.run(query.limit(limit))) as { webhook_id: unknown }[];
    return rows.map(({ webhook_id }) => Number(webhook_id));
  }
  /** Claims what is due of a webhook: of each lane the first that is not sent yet. */
  async claim(webhook_id: number, limit: number, leaseMs: number): Promise<Delivery[]> {
    const before = this.database
      .knex({ b: DELIVERIES })
      .whereRaw("?? = ??", ["b.lane", `${DELIVERIES}.lane`])
      .where("b.state", "waiting")
      .whereRaw("?? < ??", ["b.id", `${DELIVERIES}.id`]);
    const query = this.#due().where({ webhook_id }).whereNotExists(before).orderBy("id").limit(limit);
    const claimed: Delivery[] = [];
    for (const row of await this.#deliveries.read(query)) {
      const until = encodeDate(new Date(Date.now() + leaseMs));
      const change = { locked_by: this.#holder, locked_until: until };
      const count = await this.#deliveries.run(this.#due().where({ id: row.id }).update(change));
      if (count === 1) claimed.push(decoded(row));
    }
    return claimed;
  }
  #due() {
    const now = encodeDate(new Date());
    return this.#deliveries
      .rows({ state: "waiting" })
      .where("next_at", "<=", now)
      .where((group) => group.whereNull("locked_until").orWhere("locked_until", "<", now));
  }
  /** Whether something was due before an instant: a process that ended has left it. */
  async isLate(before: Date): Promise<boolean> {
    const query = this.#due().where("next_at", "<", encodeDate(before)).select("id").limit(1);
    return (await this.#deliveries.run(query)).length > 0;
  }

  /** What this process has claimed ends; nothing where another one has it by now. */
  async finish(
    { id, attempts }: Delivery,
    state: DeliveryState,
    reason: string | null,
    transaction?: Transaction,
  ): Promise<void> {
    const count = transaction ? attempts + 1 : attempts; // an attempt ends with what is stored of it
    const ended = { state, reason, attempts: count, finished_at: encodeDate(new Date()), ...unlocked };
    await this.#deliveries.run(this.#own(id, transaction).update(ended));
  }
  /** It is tried again later. */
  async retry({ id, attempts }: Delivery, at: Date, transaction: Transaction): Promise<void> {
    const change = { attempts: attempts + 1, next_at: encodeDate(at), ...unlocked };
    await this.#deliveries.run(this.#own(id, transaction).update(change));
  }
  /** Another process may do it: this one closes. */
  async release({ id }: Delivery): Promise<void> {
    await this.#deliveries.run(this.#own(id).update(unlocked));
  }
  #own(id: number, transaction?: Transaction) {
    return this.#deliveries.rows({ id, locked_by: this.#holder }, transaction);
  }

  async addTry(one: Omit<Try, "id">, transaction: Transaction): Promise<void> {
    const row = this.#tries.encoded(one as Try);
    await this.#tries.run(this.#tries.rows({}, transaction).insert(row));
  }
  /** The attempts of a delivery, the newest first. */
  async tries({ id }: Delivery, limit: number): Promise<Try[]> {
    return this.#tries.read(this.#tries.rows({ delivery_id: id }).orderBy("id", "desc").limit(limit));
  }

  /** Another person gets the webhook: answers may repeat what they may not read. */
  async forgetAnswers(webhook_id: number): Promise<void> {
    await this.#tries.run(this.#tries.rows({ webhook_id }).whereNotNull("answer").update({ answer: null }));
  }

  /** What a webhook sent, the newest first, before an id. */
  async list(webhook_id: number, limit: number, before?: number): Promise<Delivery[]> {
    const query = this.#deliveries.rows({ webhook_id }).orderBy("id", "desc").limit(limit);
    if (before !== undefined) query.where("id", "<", before);
    return (await this.#deliveries.read(query)).map(decoded);
  }
  async find(webhook_id: number, id: number): Promise<Delivery | undefined> {
    const [row] = await this.#deliveries.read(this.#deliveries.rows({ webhook_id, id }));
    return row && decoded(row);
  }
  async hasDead(webhook_id: number): Promise<boolean> {
    const query = this.#deliveries.rows({ webhook_id, state: "dead" }).select("id").limit(1);
    return (await this.#deliveries.run(query)).length > 0;
  }

  /** Sends what has ended again, under the same id, and what waits for its next attempt at once; returns how many. */
  async replay(webhook_id: number, id: number | "dead", transaction: Transaction): Promise<number> {
    const chosen = this.#deliveries.rows({ webhook_id }, transaction);
    if (id === "dead") chosen.where("state", "dead").orderBy("id").limit(MAX_REPLAYED);
    else chosen.where({ id });
    const ids = (await this.#deliveries.read(chosen.select("id"))).map((row) => row.id);
    if (ids.length === 0) return 0;
    const again = { state: "waiting", reason: null, attempts: 0, finished_at: null, ...unlocked };
    const query = this.#deliveries.rows({ webhook_id }, transaction).whereIn("id", ids);
    query.where((free) => free.whereNull("locked_until").orWhere("locked_until", "<", encodeDate(new Date()))); // not while it is sent
    return this.#deliveries.run(query.update({ ...again, next_at: encodeDate(new Date()) }));
  }
  /** What waits is not sent: its webhook is disabled. */
  async stop(webhook_id: number, transaction?: Transaction): Promise<void> {
    const ended = { state: "dead", reason: "disabled", finished_at: encodeDate(new Date()), ...unlocked };
    await this.#deliveries.run(this.#deliveries.rows({ webhook_id, state: "waiting" }, transaction).update(ended));
  }
  async removeOf(webhook_id: number, transaction: Transaction): Promise<void> {
    await this.#tries.run(this.#tries.rows({ webhook_id }, transaction).delete());
    await this.#deliveries.run(this.#deliveries.rows({ webhook_id }, transaction).delete());
  }

  /** Deletes what ended, and attempts, before an instant, and what belongs to webhooks that no longer exist. */
  async prune(before: Date): Promise<number> {
    const at = encodeDate(before);
    let removed = 0;
    for (;;) {
      const old = this.#deliveries.rows().whereNot("state", "waiting").where("created_at", "<", at);
      const ids = (await this.#deliveries.read(old.select("id").limit(PRUNED))).map(({ id }) => id);
      if (ids.length === 0) break;
      await this.#tries.run(this.#tries.rows().whereIn("delivery_id", ids).delete());
      removed += await this.#deliveries.run(this.#deliveries.rows().whereIn("id", ids).delete());
    }
    for (const table of [this.#deliveries, this.#tries]) {
      const known = this.database.knex(WEBHOOKS).select("id");
      await table.run(table.rows().whereNotIn("webhook_id", known).delete());
    }
    await this.#tries.run(this.#tries.rows().where("at", "<", at).delete());
    return removed;
  }
}

const unlocked = { locked_until: null, locked_by: null };

const decoded = ({ details, ...row }: Row): Delivery => ({ ...row, details: JSON.parse(details) as EventDetails });
