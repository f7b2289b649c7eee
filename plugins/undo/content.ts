import { openSealer } from "framewright/host";
import type { RowOwner } from "framewright/plugins/portals";

/** A row as the database has it, of the model with this constant. */
export interface KeptRow {
  readonly model: string;
  readonly row: Readonly<Record<string, unknown>>;
}
/** Records that a deletion has left, without the columns by which they referred to a deleted one. */
export interface Unlinked {
  readonly model: string;
  readonly ids: readonly (number | string)[];
  readonly keys: Readonly<Record<string, unknown>>;
}
/** A deleted record, and all that its deletion has changed. */
export interface KeptDeletion {
  readonly label: string;
  /** In an order in which each refers to those before it alone. */
  readonly rows: readonly KeptRow[];
  /** The index of the record itself among the rows. */
  readonly root: number;
  readonly unlinked: readonly Unlinked[];
}

/** Encrypts what is stored of deletions, bound to the person and the key that undoes them. */
export class DeletionSealer {
  readonly #texts: ReturnType<typeof openSealer>;

  constructor(secrets: readonly string[]) {
    this.#texts = openSealer(secrets, "deletions");
  }
  seal(value: KeptDeletion, owner: RowOwner, key: string): string {
    return this.#texts.seal(JSON.stringify(value, asText), boundTo(owner, key));
  }
  /** What is stored as JSON; undefined where the secret is unavailable. */
  textOf(sealed: string, owner: RowOwner, key: string): string | undefined {
    return this.#texts.open(sealed, boundTo(owner, key));
  }
  /** Undefined where the secret is unavailable. */
  open(sealed: string, owner: RowOwner, key: string): KeptDeletion | undefined {
    const text = this.textOf(sealed, owner, key);
    return text === undefined ? undefined : (JSON.parse(text, asValue) as KeptDeletion);
  }
}

const boundTo = ({ resource, portal, owner_type, owner_id, tenant }: RowOwner, key: string): string =>
  JSON.stringify([resource, portal, owner_type, owner_id, tenant, key]);

/** JSON has no bytes: `toJSON` of a Buffer has run already. */
function asText(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  const bytes = value as { type?: unknown; data?: number[] } | null;
  const isBytes = typeof value === "object" && bytes?.type === "Buffer" && Array.isArray(bytes.data);
  return isBytes ? { $bytes: Buffer.from(bytes.data!).toString("base64") } : value;
}
function asValue(_: string, value: unknown): unknown {
  const bytes = (value as { $bytes?: unknown } | null)?.$bytes;
  return typeof bytes === "string" ? Buffer.from(bytes, "base64") : value;
}
