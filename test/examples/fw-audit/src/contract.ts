import type { BaseController } from "framewright";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";

/** What a column was and became; of a secret neither. A text of more than 1,000 characters is cut. */
export type AuditChange = { readonly from: unknown; readonly to: unknown } | { readonly hidden: true };

/** One change of one record. What is not known is null. */
export interface AuditEntry {
  /** An instant, as in `2026-01-31T12:00:00.000Z`. */
  readonly at: string;
  readonly kind: "created" | "updated" | "deleted";
  /** As in `Blogging::Post`. */
  readonly model: string;
  /** The record's key, as a text. */
  readonly record: string;
  /** As in `User/1`. */
  readonly person: string | null;
  readonly portal: string | null;
  readonly wizard: string | null;
  readonly job: string | null;
  /** As in `Organization/1`; null where the record belongs to none, or to several. */
  readonly tenant: string | null;
  /** By column. */
  readonly changes: Readonly<Record<string, AuditChange>>;
}
/** A change as it is stored. */
export interface AuditLine extends AuditEntry {
  readonly id: number;
}

/** Which lines are read. */
export interface AuditFilter {
  readonly models?: readonly string[];
  readonly record?: string;
  readonly tenant?: string;
  /** Only lines of before this one. */
  readonly before?: number;
  /** 50 by default. */
  readonly limit?: number;
}

/** The service of the slot `audit`. */
export interface Audit {
  /** Reads lines, the newest first, whoever may see them: for commands and jobs. */
  lines(filter?: AuditFilter): Promise<readonly AuditLine[]>;
  /** What the account of a request may see in its portal and tenant, the newest first. */
  visible(controller: BaseController, filter?: AuditFilter): Promise<VisibleLines>;
  /** Whether the account of a request may see the changes of any resource of its portal. */
  isOpenTo(controller: BaseController): boolean;
  /** Removes lines that are older than `keepDays`; how many there were. */
  prune(): Promise<number>;
}
/** Some lines, and where the next ones begin. */
export interface VisibleLines {
  readonly lines: readonly AuditLine[];
  /** `before` of the next lines; undefined where there are none. */
  readonly next: number | undefined;
}

/** The hooks of the slot `audit`. */
export interface AuditHooks {
  /** A change was recorded, and its transaction is open: what is thrown undoes the change. */
  recorded: AsyncSeriesHook<[entry: AuditEntry, transaction: Transaction]>;
}

declare module "framewright/kernel" {
  interface Slots {
    audit: { service: Audit; hooks: AuditHooks };
  }
}
