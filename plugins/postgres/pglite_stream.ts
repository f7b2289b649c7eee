import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";

/** Signed in, without a password, and ready for a query. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const TERMINATE = "X".charCodeAt(0);
const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);

/** Module-level: found by a database, and freed with it. Whoever has the session; others wait until its transaction is over. */
const turns = new WeakMap<PGlite, Promise<void>>();

/** What `pg` takes for a socket, with PGlite at its other end: the same protocol, types and errors as of a server. */
export class PgliteStream extends Duplex {
  readonly #database: PGlite;
  #isStarted = false;
  #release: (() => void) | undefined;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  /** As of a socket: it is connected already. */
  connect(): this {
    process.nextTick(() => this.emit("connect"));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}
  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#answer(chunk).then(
      () => done(),
      (error: Error) => done(error),
    );
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#release) this.#endTurn();
    done(error);
  }

  async #answer(chunk: Buffer): Promise<void> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.push(WELCOME);
      return;
    }
    if (chunk[0] === TERMINATE) {
      this.push(null);
      return;
    }
    await this.#takeTurn();
    const answer = await this.#database.execProtocolRaw(chunk);
    if (answer.at(-6) === READY && answer.at(-1) === IDLE) this.#endTurn();
    this.push(Buffer.from(answer));
  }

  async #takeTurn(): Promise<void> {
    while (!this.#release) {
      const others = turns.get(this.#database);
      if (others) await others;
      else turns.set(this.#database, new Promise((resolve) => (this.#release = resolve)));
    }
  }
  #endTurn(): void {
    turns.delete(this.#database);
    this.#release?.();
    this.#release = undefined;
  }
}
