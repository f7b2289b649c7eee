import type { Transaction, TransactionOptions } from "framewright/plugins/database";
import type { RunKind, RunState } from "./runs.ts";

/** The owner of a run: an account type, or another mode of authentication, and an id. */
export interface RowOwner {
  readonly type: string;
  readonly id: string;
}
export interface RunFilter {
  readonly wizard?: string;
  readonly portal?: string;
  readonly scopeGid?: string;
  /** The record that the runs are anchored to: its model's constant, and its id. */
  readonly anchor?: RowOwner;
  readonly limit?: number;
}

/** The slot `wizardStore`: rows of runs. The standard provider keeps them in the database: `store/`. */
export interface WizardStore {
  /** Inserts and returns the id; false when another run has the same claim. */
  insert(row: RunRow): Promise<number | false>;
  byClaim(claims: readonly string[]): Promise<RunRow | undefined>;
  /** The runs of many claims in one call. */
  byClaims(claims: readonly string[]): Promise<RunRow[]>;
  /** The latest run under an identity, completed runs included: for replay. */
  latest(identities: readonly string[]): Promise<RunRow | undefined>;
  byId(id: number): Promise<RunRow | undefined>;
  /**
   * Runs `work` with the row locked, in the application's own transaction where the store has one. `options`: the
   * transaction's deadline, and its name for the log.
   */
  locked<T>(
    id: number,
    work: (row: RunRow | undefined, transaction: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Updates the row if `version` (and any other condition given) still matches; true when it did. */
  update(id: number, where: Partial<RunRow>, change: Partial<RunRow>, transaction?: Transaction): Promise<boolean>;
  delete(id: number, transaction?: Transaction): Promise<boolean>;
  /** The runs that a person has started and not ended, the latest first; at most 100 by default. */
  open(owner: RowOwner, filter: RunFilter): Promise<RunRow[]>;
  /** The ids of a person's tokened runs of a wizard that were launched and never started, without the latest `after` of them. */
  unbegun(owner: RowOwner, wizard: string, after: number): Promise<number[]>;
  /** Deletes those of these runs that are still not started; returns how many. */
  forget(ids: readonly number[]): Promise<number>;
  /** Runs that the sweep has to handle, by the timestamp that each kind is due by. */
  due(what: "unstarted" | "expired" | "stale" | "completed", before: Date, limit: number): Promise<RunRow[]>;
  /** Appends to the history of a run. */
  record(event: EventRow, transaction?: Transaction): Promise<void>;
  /** The history of a run, the oldest event first. */
  trail(runId: number): Promise<EventRow[]>;
  /** Deletes old events; returns how many. */
  sweepEvents(before: Date, limit: number): Promise<number>;
  /** Acquires the lease until an instant; false when another holder has it. */
  lease(name: string, holder: string, until: Date): Promise<boolean>;
}
/** A row of `framewright_wizard_runs`; texts are JSON, sealed where the wizard sets `encryptData` or asks for a password. */
export interface RunRow {
  id?: number;
  wizard: string;
  kind: RunKind;
  state: RunState;
  /** Digest of the key, the guest or the token; retained for replay after the claim is released. */
  identity: string;
  /** The identity while the run occupies its key (unique); null once another run may be launched. */
  claim: string | null;
  token: string | null;
  owner_type: string | null;
  owner_id: string | null;
  anchor_type: string | null;
  anchor_id: string | null;
  scope_gid: string | null;
  portal: string | null;
  /** The mount's base path, where the run is resumed. */
  base: string;
  cursor: string;
  visited: string;
  data: string | null;
  drafts: string | null;
  persisted: string | null;
  schema_map: string;
  return_to: string | null;
  outcome: string | null;
  attempt: string | null;
  completing_at: Date | null;
  version: number;
  started_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}
export interface EventRow {
  id?: number;
  run_id: number;
  wizard: string;
  kind: string;
  step: string | null;
  actor_type: string | null;
  actor_id: string | null;
  /** JSON; names of steps, never values. */
  detail: string | null;
  at: Date;
}
