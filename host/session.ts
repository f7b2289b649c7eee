import { randomBytes } from "node:crypto";

/** What a session may hold: it travels sealed, as JSON. */
export type SessionValue = string | number | boolean | null | SessionValue[] | { [key: string]: SessionValue };
export type SessionData = Record<string, SessionValue>;

export const newSessionId = (): string => randomBytes(18).toString("base64url");

/**
 * A visitor's session. It is read when it is first touched, and written at the end of the request only when it
 * changed.
 */
export class Session {
  #read: () => SessionData | undefined;
  #data: SessionData | undefined;
  #changed = false;

  /** `read` gives the stored data, or undefined for a new session. */
  constructor(read: () => SessionData | undefined = () => undefined) {
    this.#read = read;
  }

  get id(): string {
    return this.#open().id as string;
  }
  get(key: string): SessionValue | undefined {
    const data = this.#open();
    return Object.hasOwn(data, key) ? data[key] : undefined;
  }
  set(key: string, value: SessionValue): void {
    this.#open()[key] = value;
    this.#changed = true;
  }
  delete(key: string): void {
    if (this.get(key) === undefined) return;
    delete this.#open()[key];
    this.#changed = true;
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

  #open(): SessionData {
    this.#data ??= this.#read() ?? { id: newSessionId() };
    return this.#data;
  }
}
