import type { Transaction } from "objection";
import type { BaseModel } from "../models/model.ts";
import type { ModelInfo } from "../models/model_info.ts";

/** Where a change comes from, as far as it is known. */
export interface ChangedBy {
  /** The account of the request, or of the one who started the work in the background. */
  readonly user: unknown;
  /** The account that really acts, where an administrator acts for `user`; undefined where `user` acts. */
  readonly actor: unknown;
  /** The portal's name; undefined in the main application. */
  readonly portal: string | undefined;
  /** As in `Blogging::Checkout`. */
  readonly wizard: string | undefined;
  /** The job's kind. */
  readonly job: string | undefined;
  /** What a plugin or command names its writes by (`addToOrigin` of the host), as "import", "undo", "seed". */
  readonly means: string | undefined;
}

/** One change of a stored record, whoever wrote it through its model. */
export interface Change<M extends BaseModel = BaseModel> {
  readonly kind: "created" | "updated" | "deleted";
  readonly model: ModelInfo;
  /** The record as it is now; of a deletion as it was. */
  readonly record: M;
  /** The record as it stood before; undefined where it is created. */
  readonly before: M | undefined;
  /** The columns whose values differ; of a new record and of a deletion those that have a value. */
  readonly changed: readonly string[];
  readonly by: ChangedBy | undefined;
  /** Whether a created record is one that was stored before, as by an undone deletion. */
  readonly isRestored?: boolean;
}
/** A change whose transaction is open: what is written with it is committed with the change, or not at all. */
export interface OpenChange<M extends BaseModel = BaseModel> extends Change<M> {
  readonly transaction: Transaction;
}

/** A record that its model is about to create, in the transaction that stores it. */
export interface Creation<M extends BaseModel = BaseModel> {
  readonly model: ModelInfo;
  /** What is set of it is checked and stored with the rest. */
  readonly record: M;
  readonly transaction: Transaction;
}

type Values = Readonly<Record<string, unknown>>;

/** The columns whose values differ between two records, of which one may be missing. */
export function changedColumns(
  { columns }: ModelInfo,
  before: object | undefined,
  after: object | undefined,
): string[] {
  const [old, now] = [(before ?? {}) as Values, (after ?? {}) as Values];
  return [...columns.keys()].filter((name) => !isSame(old[name], now[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b || ((a === null || a === undefined) && (b === null || b === undefined))) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return a.equals(b);
  return typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b);
}
