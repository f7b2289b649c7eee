import type { RowOwner } from "framewright/plugins/portals";
import type { BackgroundRunState } from "framewright/plugins/resources";

/** A row of the table. */
export interface RunRow extends RowOwner {
  readonly id: number;
  readonly action: string;
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

/** Whether a run has not ended. */
export const isOpen = ({ state }: Pick<RunRow, "state">): boolean => state === "waiting" || state === "running";
/** How many records had their turn. */
export const processedOf = ({ done, refused, failed }: Pick<RunRow, "done" | "refused" | "failed">): number =>
  done + refused + failed;
