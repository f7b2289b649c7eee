import type { RefusalKind } from "../operations/denial.ts";

/** `done`: every target had its turn; `failed`: it could not be continued; what was done to records stays in each case. */
export type BackgroundRunState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A problem with one record, or with the run as a whole. */
export interface BackgroundProblem {
  /** The record's id; null for the whole. */
  readonly record: string | null;
  readonly text: string;
}

/** What is shown of a run. */
export interface BackgroundRunInfo {
  readonly id: number;
  /** The resource's constant and the action's key. */
  readonly resource: string;
  readonly action: string;
  readonly portal: string | undefined;
  readonly state: BackgroundRunState;
  /** How many records there were when it was started. */
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly reasons: Readonly<Partial<Record<RefusalKind, number>>>;
  /** The first of them. */
  readonly problems: readonly BackgroundProblem[];
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/** A run has ended. */
export interface BackgroundRunEvent {
  readonly run: BackgroundRunInfo;
  /** The path of its page. */
  readonly url: string;
  /** The account that started it; undefined where it may not act any more. */
  readonly account: object | undefined;
  /** The tenant that it was started in, by its table and id, as `organizations/7`; undefined in a portal without tenants. */
  readonly tenant: string | undefined;
}

/** A row of the table. */
export interface RunRow {
  readonly id: number;
  readonly resource: string;
  readonly action: string;
  readonly portal: string | null;
  readonly owner_type: string;
  readonly owner_id: string;
  readonly tenant: string | null;
  /** Sealed; null once the run has ended. */
  readonly content: string | null;
  readonly state: BackgroundRunState;
  /** Changed by each write, which names the one that it read. */
  readonly version: number;
  readonly locked_by: string | null;
  readonly locked_until: Date | null;
  /** How often it was taken up since the last record. */
  readonly starts: number;
  readonly cursor_id: string | null;
  /** The highest id when it was started; null where ids have no order in time. */
  readonly last_id: string | null;
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  /** Sealed. */
  readonly problems: string | null;
  readonly heartbeat_at: Date;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

export const isOpen = ({ state }: Pick<RunRow, "state">): boolean => state === "waiting" || state === "running";
/** How many records had their turn. */
export const processedOf = ({ done, refused, failed }: Pick<RunRow, "done" | "refused" | "failed">): number =>
  done + refused + failed;
