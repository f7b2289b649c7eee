import type { Transaction, TransactionOptions } from "framewright/plugins/database";
import type { RunKind, RunState } from "./runs.ts";

/** Whose a run is: an account type, or another mode of authentication, and an id of it. */
export interface RunOwner {
  readonly type: string;
  readonly id: string;
}
export interface RunFilter {
  readonly wizard?: string;
  readonly portal?: string;
  readonly scopeGid?: string;
  readonly limit?: number;
}

/** The slot `wizardStore`: rows of runs. The standard filler keeps them in the database: `store/`. */
export interface WizardStore {
  /** Inserts; false when another run holds the same claim. */
  insert(row: RunRow): Promise<number | false>;
  byClaim(claims: readonly string[]): Promise<RunRow | undefined>;
  /** The runs of many claims at once. */
  byClaims(claims: readonly string[]): Promise<RunRow[]>;
  /** The latest run under an identity, completed ones included: for replay. */
  latest(identities: readonly string[]): Promise<RunRow | undefined>;
  byId(id: number): Promise<RunRow | undefined>;
  /**
   * Works on the row while nobody else does; in the application's own transaction where the store has one. `options`: by
   * when it must be over, and whose it is.
   */
  locked<T>(
    id: number,
    work: (row: RunRow | undefined, transaction: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Updates where `version` (and what else is given) still holds; true when it did. */
  update(id: number, where: Partial<RunRow>, change: Partial<RunRow>, transaction?: Transaction): Promise<boolean>;
  delete(id: number, transaction?: Transaction): Promise<boolean>;
  /** The runs that a person has begun and not ended, the latest first; 100 unless told. */
  open(owner: RunOwner, filter: RunFilter): Promise<RunRow[]>;
  /** A person's tokened runs of a wizard that were launched and never begun: the ids of those after the latest ones. */
  unbegun(owner: RunOwner, wizard: string, after: number): Promise<number[]>;
  /** Removes those of these runs that nobody has begun, and says how many. */
  forget(ids: readonly number[]): Promise<number>;
  due(what: "unstarted" | "expired" | "stale" | "completed", before: Date, limit: number): Promise<RunRow[]>;
  record(event: EventRow, transaction?: Transaction): Promise<void>;
  trail(runId: number): Promise<EventRow[]>;
  sweepEvents(before: Date, limit: number): Promise<number>;
  /** Takes the lease until an instant; false when another holder has it. */
  lease(name: string, holder: string, until: Date): Promise<boolean>;
}
/** A row of `framewright_wizard_runs`; texts are JSON, sealed where the wizard says `encryptData` or asks for a password. */
export interface RunRow {
  id?: number;
  wizard: string;
  kind: RunKind;
  state: RunState;
  /** Digest of the key, the guest or the token; kept for replay after the claim is free. */
  identity: string;
  /** The same while the run is the one of its key (unique); null once another may be launched. */
  claim: string | null;
  token: string | null;
  owner_type: string | null;
  owner_id: string | null;
  anchor_type: string | null;
  anchor_id: string | null;
  scope_gid: string | null;
  portal: string | null;
  /** The mount's base path, where the run is gone on with. */
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
