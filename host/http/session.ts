import { randomBytes } from "node:crypto";
import { errors } from "../errors.ts";

/** What a session may hold: it travels sealed, as JSON. */
export type SessionValue = string | number | boolean | null | SessionValue[] | { [key: string]: SessionValue };
export type SessionData = Record<string, SessionValue>;

export const newSessionId = (): string => randomBytes(18).toString("base64url");

/** Bytes of a limited session that are the framework's: id, form secret, sign-ins, a guest's key. */
const RESERVED_BYTES = 900;
/** Where the names of what is the framework's stand, the expendable ones in the order in which they were set. */
const RESERVED = "~reserved";
const EXPENDABLE = "~expendable";

/**
 * A visitor's session. It is read when it is first touched, and written at the end of the request only when it
 * changed.
 */
export class Session {
  #read: () => SessionData | undefined;
  readonly #maxBytes: number;
  #data: SessionData | undefined;
  #changed = false;

  /** `read` gives the stored data, or undefined for a new session; `maxBytes` of JSON is what its store takes. */
  constructor(read: () => SessionData | undefined = () => undefined, maxBytes = Number.POSITIVE_INFINITY) {
    this.#read = read;
    this.#maxBytes = maxBytes;
  }

  get id(): string {
    return this.#open().id as string;
  }
  get(key: string): SessionValue | undefined {
    const data = this.#open();
    return Object.hasOwn(data, key) ? data[key] : undefined;
  }
  /** Keeps a value of the application's. @throws FW_SESSION_TOO_LARGE when all of them together are more than the store takes */
  set(key: string, value: SessionValue): void {
    const data = this.#open();
    const before = data[key];
    data[key] = value;
    this.#unmark(key);
    const size = this.#maxBytes === Number.POSITIVE_INFINITY ? 0 : this.#ownBytes();
    if (size > this.#maxBytes - RESERVED_BYTES) {
      if (before === undefined) delete data[key];
      else data[key] = before;
      throw errors.FW_SESSION_TOO_LARGE(key, size, this.#maxBytes - RESERVED_BYTES);
    }
    this.#changed = true;
  }
  /** Keeps a small value that the framework can't do without; it does not count as the application's. */
  setReserved(key: string, value: SessionValue): void {
    this.#open()[key] = value;
    if (!this.#names(RESERVED).includes(key)) this.#mark(RESERVED, key);
    this.#changed = true;
  }
  /** Keeps a value that can be given up, as a message: what was set longest ago goes when the session grows too large. */
  setExpendable(key: string, value: SessionValue): void {
    this.#open()[key] = value;
    this.#unmark(key);
    this.#mark(EXPENDABLE, key);
    this.#changed = true;
  }
  delete(key: string): void {
    if (this.get(key) === undefined) return;
    delete this.#open()[key];
    this.#unmark(key);
    this.#changed = true;
  }
  /** Gives up the expendable value that was set longest ago; false when there is none. */
  dropOldest(): boolean {
    const [oldest] = this.#names(EXPENDABLE);
    if (oldest !== undefined) this.delete(oldest);
    return oldest !== undefined;
  }
  /** Reads a value and forgets it. */
  take(key: string): SessionValue | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }
  /** A new id for the same data, as at sign-in: an id that was planted before is worth nothing. */
  renew(): void {
    this.#open().id = newSessionId();
    this.#changed = true;
  }
  /** Forgets everything, id included. */
  clear(): void {
    this.#data = { id: newSessionId() };
    this.#changed = true;
  }

  /** Asks for the session to be written though nothing in it changed. */
  touch(): void {
    this.#changed = true;
  }
  get changed(): boolean {
    return this.#changed;
  }
  /** Everything in it, for the plugin that stores it. */
  toJSON(): SessionData {
    return this.#open();
  }

  #names(list: string): string[] {
    return (this.#open()[list] ?? []) as string[];
  }
  #mark(list: string, key: string): void {
    this.#open()[list] = [...this.#names(list), key];
  }
  #unmark(key: string): void {
    const data = this.#open();
    for (const list of [RESERVED, EXPENDABLE]) {
      if (!this.#names(list).includes(key)) continue;
      const others = this.#names(list).filter((name) => name !== key);
      if (others.length > 0) data[list] = others;
      else delete data[list];
    }
  }
  /** Bytes of JSON that are the application's own. */
  #ownBytes(): number {
    const ours = new Set(["id", RESERVED, EXPENDABLE, ...this.#names(RESERVED), ...this.#names(EXPENDABLE)]);
    const own = Object.entries(this.#open()).filter(([key]) => !ours.has(key));
    return Buffer.byteLength(JSON.stringify(Object.fromEntries(own)));
  }

  #open(): SessionData {
    this.#data ??= this.#read() ?? { id: newSessionId() };
    return this.#data;
  }
}
