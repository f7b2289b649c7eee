import { setTimeout as sleep } from "node:timers/promises";
import { currentOrigin, type Finding, type RequestContext } from "framewright/host";
import type { Knex } from "knex";
import type { Replication } from "../drivers/driver.ts";
import type { Transaction } from "../models/types.ts";
import { examineReplicas } from "./examine.ts";
import { isRead, readsOneTable } from "./one_table.ts";
import type { Replica, Sample } from "./replica.ts";
import { routedKnex } from "./routed_knex.ts";
import { WrittenPositions } from "./written.ts";

export interface ReplicasParts {
  primary: Knex;
  replicas: readonly Replica[];
  replication: Replication;
  /** Milliseconds that a replica may be late. */
  maxLag: number;
  secrets: readonly string[];
}

const LOOK_EVERY_MS = 1000;
/** A reply waits no longer for the position of what its request wrote. */
const POSITION_TIMEOUT_MS = 500;
const READING: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);
const WRITING: ReadonlySet<string | undefined> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Whether a client that keeps cookies may have written. */
const mayHaveWritten = (request: RequestContext): boolean =>
  WRITING.has(request.raw.method) && !request.isBackground && !request.cookieless;

/** The replicas of a database: which requests read them, and which one each of them reads. */
export class Replicas {
  readonly #parts: ReplicasParts;
  readonly #written: WrittenPositions;
  readonly #pages: Knex;
  readonly #own: Knex;
  readonly #chosen = new WeakMap<RequestContext, Promise<Replica | undefined>>();
  readonly #noted = new WeakSet<RequestContext>();
  /** Positions of the primary, the newest first. */
  #samples: Sample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(parts: ReplicasParts) {
    this.#parts = parts;
    this.#written = new WrittenPositions(parts.secrets, parts.replication.isPosition);
    const choose = () => this.#choose();
    this.#pages = routedKnex(parts.primary, { choose, accepts: readsOneTable });
    this.#own = routedKnex(parts.primary, { choose, accepts: isRead });
  }

  /**
   * What a request's reads are given in the place of a transaction; undefined for the primary. `anyTables`: also what joins
   * tables, or looks into another, goes to a replica.
   */
  for(request: RequestContext, anyTables: boolean): Transaction | undefined {
    if (!READING.has(request.raw.method) || request.isBackground || request.cookieless) return undefined;
    this.#watch();
    return (anyTables ? this.#own : this.#pages) as unknown as Transaction;
  }

  /** After a request that may have written: what its client reads next has what it wrote. */
  noteWrites(request: RequestContext): Promise<void> | undefined {
    if (!mayHaveWritten(request)) return undefined;
    this.#noted.add(request);
    return this.#noteWrites(request);
  }
  async #noteWrites(request: RequestContext): Promise<void> {
    const late = sleep(POSITION_TIMEOUT_MS, undefined, { ref: false });
    this.#written.write(request, await Promise.race([this.#position(), late]));
  }
  /** As noteWrites, for one that failed, which may have committed before: its client reads the primary for a while. */
  noteFailure(request: RequestContext): boolean {
    if (!mayHaveWritten(request) || this.#noted.has(request)) return false;
    this.#written.write(request);
    return true;
  }

  async #choose(): Promise<Replica | undefined> {
    const request = currentOrigin()?.request;
    if (!request) return undefined;
    let chosen = this.#chosen.get(request);
    if (!chosen) {
      chosen = this.#choiceFor(request);
      this.#chosen.set(request, chosen);
    }
    const replica = await chosen;
    return replica?.isUp ? replica : undefined;
  }
  async #choiceFor(request: RequestContext): Promise<Replica | undefined> {
    const usable = this.#parts.replicas.filter((replica) => replica.isUsable(this.#parts.maxLag));
    const replica = usable[Math.floor(Math.random() * usable.length)];
    const written = replica && this.#written.read(request);
    if (written === undefined) return replica;
    return written !== "" && (await replica!.catchesUp(written)) ? replica : undefined;
  }

  /** Looks at the replicas now and then, from the first request that might read one. */
  #watch(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    void this.#look();
  }
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#sample();
      if (this.#samples.length > 0) await Promise.all(this.#parts.replicas.map((one) => one.look(this.#samples)));
    } finally {
      this.#isLooking = false;
    }
  }
  async #sample(): Promise<void> {
    const at = performance.now();
    const position = await this.#position();
    const fresh = this.#samples.filter((sample) => at - sample.at <= this.#parts.maxLag);
    this.#samples = position === undefined ? fresh : [{ at, position }, ...fresh];
  }
  /** Where the primary is; undefined where it does not report it. */
  #position(): Promise<string | undefined> {
    const { replication, primary } = this.#parts;
    return replication.position(primary).catch(() => undefined);
  }

  examine(): Promise<Finding[]> {
    return examineReplicas(this.#parts);
  }
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const all = [this.#pages, this.#own, ...this.#parts.replicas.map(({ knex }) => knex)];
    await Promise.all(all.map((knex) => knex.destroy()));
  }
}
