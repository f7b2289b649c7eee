import {
  type DeterministicSealer,
  openDeterministicSealer,
  openSealer,
  SEAL_BYTES,
  type Sealer,
} from "framewright/host";
import { errors } from "../errors.ts";
import { problem } from "../validation/messages.ts";
import type { Problem } from "../validation/validation_error.ts";

/** How an attribute is encrypted: `static override encrypts = { ssn: {}, email: { searchable: true } }`. */
export interface EncryptOptions {
  /** Equal values are stored alike, so that they can be looked for and be unique; a reader of the database sees which are equal. */
  searchable?: boolean;
  /** What values are bound to besides the secret; by default `table.column`. Give the former name after one of the two was renamed. */
  boundTo?: string;
  /** A value that is not encrypted yet is read as it is: until `fw db:encrypt` has run. */
  allowPlaintext?: boolean;
}
/** How a stored value depends on the secrets: what to write in its place; "current": nothing; "lost": no secret opens it. */
export type StoredState = "current" | "lost" | StaleValue;
interface StaleValue {
  replacement: string;
  /** Whether it was not encrypted at all. */
  isPlain: boolean;
  /** Whether the column has room for the replacement. */
  fits: boolean;
}

/** How encrypted values begin: the first bytes state whether equal texts are stored alike. */
const MARKS = { searchable: "fw1s:", random: "fw1r:" } as const;
const MARK_CHARS = MARKS.searchable.length;

/** Most bytes of UTF-8 whose encrypted text fits into this many characters. */
export const capacityOf = (maxLength: number): number => Math.floor(((maxLength - MARK_CHARS) * 3) / 4) - SEAL_BYTES;

/** Encrypts the values of one column (AES-256-GCM), under keys that no other column has. */
export class ColumnCipher {
  readonly searchable: boolean;
  readonly #place: { table: string; column: string };
  readonly allowsPlaintext: boolean;
  readonly #capacity: number;
  readonly #maxLength: number;
  readonly #randomly: Sealer;
  readonly #alike: DeterministicSealer;
  /** With the current secret alone. */
  readonly #current: Sealer;

  constructor(
    table: string,
    { name: column, maxLength = Number.POSITIVE_INFINITY }: { name: string; maxLength?: number },
    options: EncryptOptions,
    secrets: readonly string[],
  ) {
    const { searchable = false, boundTo = `${table}.${column}`, allowPlaintext = false } = options;
    this.searchable = searchable;
    this.#place = { table, column };
    this.allowsPlaintext = allowPlaintext;
    this.#capacity = capacityOf(maxLength);
    this.#maxLength = maxLength;
    const purpose = (kind: keyof typeof MARKS) => `${kind} attribute ${boundTo}`;
    this.#randomly = openSealer(secrets, purpose("random"));
    this.#alike = openDeterministicSealer(secrets, purpose("searchable"));
    this.#current = openSealer(secrets.slice(0, 1), purpose(this.#kind));
  }

  get #kind(): keyof typeof MARKS {
    return this.searchable ? "searchable" : "random";
  }

  encrypt(value: unknown): string {
    return MARKS[this.#kind] + (this.searchable ? this.#alike : this.#randomly).seal(String(value));
  }

  /** @throws FW_ENCRYPTED_VALUE for a value that no configured secret opens in this column */
  decrypt(stored: unknown, row: Readonly<Record<string, unknown>>): string {
    const text = this.#opened(stored);
    if (text === undefined) throw errors.FW_ENCRYPTED_VALUE(this.#place.table, this.#place.column, row.id);
    return text;
  }

  /** The texts under which a value may be stored: under each secret, and as it is while that is allowed. */
  candidates(value: unknown): readonly string[] {
    const text = String(value);
    const sealed = this.#alike.all(text).map((one) => MARKS.searchable + one);
    return this.allowsPlaintext ? [...sealed, text] : sealed;
  }

  /** Whether the encrypted value would be longer than its column. */
  problem(value: unknown): Problem | undefined {
    const fits = Buffer.byteLength(String(value)) <= this.#capacity;
    return fits ? undefined : problem("too_long", { count: this.#capacity });
  }

  stateOf(stored: string): StoredState {
    const mark = MARKS[this.#kind];
    if (stored.startsWith(mark) && this.#current.open(stored.slice(MARK_CHARS)) !== undefined) return "current";
    const isPlain = !isMarked(stored);
    const text = isPlain ? stored : this.#opened(stored);
    if (text === undefined) return "lost";
    const replacement = this.encrypt(text);
    return { replacement, isPlain, fits: replacement.length <= this.#maxLength };
  }

  #opened(stored: unknown): string | undefined {
    const text = String(stored);
    if (!isMarked(text)) return this.allowsPlaintext ? text : undefined;
    const sealer = text.startsWith(MARKS.searchable) ? this.#alike : this.#randomly;
    return sealer.open(text.slice(MARK_CHARS));
  }
}

const isMarked = (text: string): boolean => text.startsWith(MARKS.searchable) || text.startsWith(MARKS.random);
