import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { tablesOf } from "../drivers/introspect.ts";
import { decodeDate, encodeDate } from "../models/codec.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { type Reads, readsOf } from "./reads.ts";
import { RELEASES_TABLE } from "./releases_table.ts";

/** How often a process records that it still runs, and after how long without that it is taken for ended. */
const RECORD_MS = 30_000;
const GONE_MS = 180_000;
/** How long a process that ends waits for its row to be deleted. */
const FORGET_MS = 1000;

/** A process that serves: where it was started, and what it reads. */
export interface RunningProcess {
  /** `web1:/srv/shop/releases/41` */
  readonly place: string;
  readonly startedAt: Date;
  readonly reads: Reads;
}

/**
 * The processes that use the database, and what they read of it: each has a row while it runs, for `fw db:check`. Two
 * releases that serve at once may have nothing in common but the database.
 */
export class Releases {
  readonly #knex: () => Knex;
  readonly #models: () => readonly ModelInfo[];
  readonly #process = randomUUID();
  readonly #startedAt = new Date();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(knex: () => Knex, models: () => readonly ModelInfo[]) {
    this.#knex = knex;
    this.#models = models;
  }

  /** Records what this process reads, now and as long as it runs; `failed` gets what goes wrong. Without the table it does nothing. */
  record(root: string, failed: (error: unknown) => void): void {
    const place = `${hostname()}:${root}`.slice(-255);
    const write = () => {
      this.#writing = this.#write(place).catch(failed);
    };
    write();
    this.#timer = setInterval(write, RECORD_MS).unref();
  }

  /** The processes that run. */
  async running(): Promise<RunningProcess[]> {
    const knex = this.#knex();
    if (!(await tablesOf(knex)).includes(RELEASES_TABLE)) return [];
    const since = encodeDate(new Date(Date.now() - GONE_MS));
    const rows: { place: string; reads: string; started_at: unknown }[] = await knex(RELEASES_TABLE)
      .where("seen_at", ">=", since)
      .orderBy("id");
    return rows.map(({ place, reads, started_at }) => ({
      place,
      startedAt: decodeDate(started_at) as Date,
      reads: JSON.parse(reads) as Reads,
    }));
  }

  /** This process ends: its row is deleted, if the database answers soon. */
  async forget(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    const deleted = this.#writing.then(() => this.#knex()(RELEASES_TABLE).where({ process: this.#process }).delete());
    const gone = deleted.then(() => undefined).catch(() => undefined); // it counts as ended after some minutes
    await Promise.race([gone, sleep(FORGET_MS, undefined, { ref: false })]);
  }

  async #write(place: string): Promise<void> {
    const knex = this.#knex();
    if (!(await tablesOf(knex)).includes(RELEASES_TABLE)) return;
    const now = encodeDate(new Date());
    const row = { place, reads: JSON.stringify(readsOf(this.#models())), seen_at: now };
    const mine = { process: this.#process };
    if ((await knex(RELEASES_TABLE).where(mine).update(row)) > 0) return;
    await knex(RELEASES_TABLE).insert({ ...mine, ...row, started_at: encodeDate(this.#startedAt) });
    const long = encodeDate(new Date(Date.now() - 2 * GONE_MS));
    await knex(RELEASES_TABLE).where("seen_at", "<", long).delete();
  }
}
