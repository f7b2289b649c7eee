import { randomBytes } from "node:crypto";
import { errors } from "../errors.ts";

/** What a session may hold: it travels sealed, as JSON. */
export type SessionValue = string | number | boolean | null | SessionValue[] | { [key: string]: SessionValue };
/** Everything in a session, by key. */
export type SessionData = Record<string, SessionValue>;

export const newSessionId = (): string => randomBytes(18).toString("base64url");

/** Bytes of a limited session that are reserved for the framework: id, form secret, sign-ins, a guest's key. */
const RESERVED_BYTES = 900;
/** Keys of the lists of reserved and expendable names, the latter in the order in which they were set. */
const RESERVED = "~reserved";
const EXPENDABLE = "~expendable";
/** Key of what the session is bound to. */
const BOUND = "~bound";

/**
 * A visitor's session. It is read when it is first touched, and written at the end of the request only when it
 * changed.
 */
export class Session {
  #read: () => SessionData | undefined;
  readonly #maxBytes: number;
  #data: SessionData | undefined;
  #changed = false;
  #binding: string | undefined;

  /** `read` returns the stored data, or undefined for a new session; `maxBytes` is the store's limit in bytes of JSON. */
  constructor(read: () => SessionData | undefined = () => undefined, maxBytes = Number.POSITIVE_INFINITY) {
    this.#read = read;
    this.#maxBytes = maxBytes;
  }

  /** What was stored under another binding, or none, is not read; it is stored under this one. Call it before anything is read. */
  bindTo(binding: string, previous: readonly string[] = []): void {
    const read = this.#read;
    this.#binding = binding;
    this.#read = () => {
      const data = read();
      const bound = data?.[BOUND];
      return typeof bound === "string" && [binding, ...previous].includes(bound) ? data : undefined;
    };
  }

  get id(): string {
    return this.#open().id as string;
  }
  get(key: string): SessionValue | undefined {
    const data = this.#open();
    return Object.hasOwn(data, key) ? data[key] : undefined;
  }
  /** Sets a value of the application. @throws FW_SESSION_TOO_LARGE when all of them together exceed the store's limit */
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
  /** Sets a small value that the framework needs; it does not count towards the application's limit. */
  setReserved(key: string, value: SessionValue): void {
    this.#open()[key] = value;
    if (!this.#names(RESERVED).includes(key)) this.#mark(RESERVED, key);
    this.#changed = true;
  }
  /** Sets a value that may be dropped, for example a message: the oldest goes first when the session grows too large. */
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
  /** Drops the oldest expendable value; false when there is none. */
  dropOldest(): boolean {
    const [oldest] = this.#names(EXPENDABLE);
    if (oldest !== undefined) this.delete(oldest);
    return oldest !== undefined;
  }
  /** Reads a value and deletes it. */
  take(key: string): SessionValue | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }
  /** A new id for the same data, as at sign-in: against session fixation. */
  renew(): void {
    this.#open().id = newSessionId();
    this.#changed = true;
  }
  /** Deletes everything, the id included. */
  clear(): void {
    this.#data = this.#fresh();
    this.#changed = true;
  }

  /** Marks the session as changed, so that it is written. */
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
    const ours = new Set(["id", BOUND, RESERVED, EXPENDABLE, ...this.#names(RESERVED), ...this.#names(EXPENDABLE)]);
    const own = Object.entries(this.#open()).filter(([key]) => !ours.has(key));
    return Buffer.byteLength(JSON.stringify(Object.fromEntries(own)));
  }

  #open(): SessionData {
    this.#data ??= this.#read() ?? this.#fresh();
    return this.#data;
  }
  #fresh(): SessionData {
    return { id: newSessionId(), ...(this.#binding === undefined ? {} : { [BOUND]: this.#binding }) };
  }
}
