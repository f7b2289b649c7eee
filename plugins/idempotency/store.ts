import { randomUUID } from "node:crypto";
import type { Sealer } from "framewright/host";
import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

const TABLE = "framewright_idempotency";

/** The sender of a request, and what it is sent to: a row for each key of theirs. */
export interface Spot {
  /** A digest of the account, the place and the key. */
  readonly spot: string;
  readonly owner_type: string;
  readonly owner_id: string;
  readonly portal: string | null;
  readonly tenant: string | null;
}
/** An answer that is sent again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The key of the record that it is about, where one was created. */
  readonly record?: string;
}
/** What became of the first request with a key. */
export interface Outcome {
  readonly fingerprint: string;
  /** `stored`: what it writes is committed, and it is not answered yet. */
  readonly state: "running" | "stored" | "answered";
  /** Of a stored one when that was. */
  readonly started_at: Date;
  readonly attempt: string;
  readonly answer: StoredAnswer | undefined;
}
interface Row extends Spot, Omit<Outcome, "answer"> {
  readonly answer: string | null;
}

/** All statements on the table: a row for each request that came with a key. Answers are sealed. */
export class IdempotencyStore {
  readonly #database: Database;
  readonly #table: PluginTable<Row>;
  readonly #sealer: Sealer;

  constructor(database: Database, sealer: Sealer) {
    this.#database = database;
    this.#sealer = sealer;
    this.#table = new PluginTable<Row>(database, TABLE, errors.FW_IDEMPOTENCY_TABLE, { dates: ["started_at"] });
  }

  /** Whether the table is there. @throws 503 when the database is unavailable */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }

  /** A request begins; returns its attempt, or undefined where another one came first. */
  async begin(spot: Spot, fingerprint: string, now: Date): Promise<string | undefined> {
    const attempt = randomUUID();
    const row = { ...spot, fingerprint, attempt, state: "running", started_at: encodeDate(now) };
    await this.#table.run(this.#database.knex(TABLE).insert(row).onConflict("spot").ignore());
    const [stored] = await this.#table.read(this.#table.rows({ spot: spot.spot, attempt }));
    return stored && attempt;
  }
  /** What became of the first one; undefined where there is none any more. */
  async find({ spot }: Spot): Promise<Outcome | undefined> {
    const [row] = await this.#table.read(this.#table.rows({ spot }));
    if (!row) return undefined;
    const text = row.answer === null ? undefined : this.#sealer.open(row.answer, spot);
    return { ...row, answer: text === undefined ? undefined : (JSON.parse(text) as StoredAnswer) };
  }
  /** Another attempt replaces one whose process has ended; undefined where a third one was faster. */
  async replace({ spot }: Spot, attempt: string, now: Date): Promise<string | undefined> {
    const next = randomUUID();
    const query = this.#table.rows({ spot, attempt, state: "running" });
    const count = await this.#table.run(query.update({ attempt: next, started_at: encodeDate(now) }));
    return count > 0 ? next : undefined;
  }
  /** What an attempt writes is about to be committed; false where another one has replaced it. */
  async markStored(
    { spot }: Spot,
    attempt: string,
    answer: StoredAnswer | undefined,
    transaction: Transaction,
  ): Promise<boolean> {
    const query = this.#table.rows({ spot, attempt, state: "running" }, transaction);
    const row = { state: "stored", answer: this.#sealed(spot, answer), started_at: encodeDate(new Date()) };
    return (await this.#table.run(query.update(row))) > 0;
  }
  /** An attempt is answered. */
  async answer({ spot }: Spot, attempt: string, answer: StoredAnswer | undefined): Promise<void> {
    const row = { state: "answered", answer: this.#sealed(spot, answer) };
    await this.#table.run(this.#table.rows({ spot, attempt }).update(row));
  }
  /** An attempt has written nothing: the key may be used again. */
  async forget({ spot }: Spot, attempt: string): Promise<void> {
    await this.#table.run(this.#table.rows({ spot, attempt, state: "running" }).delete());
  }
  /** Deletes those of before an instant. */
  async sweep(before: Date): Promise<void> {
    await this.#table.run(this.#table.rows().where("started_at", "<=", encodeDate(before)).delete());
  }

  #sealed(spot: string, answer: StoredAnswer | undefined): string | null {
    return answer ? this.#sealer.seal(JSON.stringify(answer), spot) : null;
  }
}
