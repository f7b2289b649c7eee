import type { BaseController, SafeHtml } from "framewright/host";
import type { AsyncSeriesHook, InPortal } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";

/** What became of a record; "restored" for one that was stored again as it had been. */
export type HistoryKind = "created" | "updated" | "deleted" | "restored";

/**
 * What a column was and became, as JSON: instants as texts of ISO 8601. Of a secret neither; `{ $cut: "…" }` for a long value with
 * its beginning, and `{ $bytes: 12 }` for binary ones.
 */
export type HistoryChange = { readonly from: unknown; readonly to: unknown } | { readonly secret: true };

/** Somebody, as they were known at that time. */
export interface HistoryPerson {
  /** The model, as in `User`; null for an account that is none. */
  readonly type: string | null;
  readonly id: string;
  readonly label: string;
}

/** One change of one record. What is not known is null. */
export interface HistoryEntry {
  readonly at: Date;
  readonly kind: HistoryKind;
  /** As in `Blogging::Post`. */
  readonly model: string;
  /** The record's key as a text; of several columns as addresses have it. */
  readonly record: string;
  /** What the record was called. */
  readonly label: string;
  readonly person: HistoryPerson | null;
  /** Who really acted, where somebody acted for `person`. */
  readonly actor: HistoryPerson | null;
  readonly portal: string | null;
  /** As "form", "json", "action", "import", "job". */
  readonly means: string | null;
  /** The wizard or the job. */
  readonly source: string | null;
  /** As in `organizations/1`; null where the record belongs to none, or to several. */
  readonly tenant: string | null;
  /** By column. */
  readonly changes: Readonly<Record<string, HistoryChange>>;
}
/** An entry as it is stored. */
export interface StoredEntry extends HistoryEntry {
  readonly id: number;
}

/** Where a page of entries begins: those before it come. */
export interface HistoryCursor {
  readonly at: Date;
  readonly id: number;
}
/** Which entries are read. */
export interface HistoryFilter {
  readonly models?: readonly string[];
  readonly record?: string;
  readonly tenant?: string;
  readonly kind?: HistoryKind;
  readonly person?: Pick<HistoryPerson, "type" | "id">;
  readonly portal?: string;
  /** From an instant on. */
  readonly since?: Date;
  /** Before an instant. */
  readonly until?: Date;
  readonly before?: HistoryCursor | undefined;
  /** 50 by default. */
  readonly limit?: number;
}

/** The service of the slot `history`. */
export interface History {
  /** Reads entries, the newest first, whoever may see them: for commands and jobs. */
  entries(filter?: HistoryFilter): Promise<readonly StoredEntry[]>;
  /** Deletes the expired entries; returns how many. */
  prune(now?: Date): Promise<number>;
  /** The address of all changes in the portal of a request; undefined for people who may see none. */
  urlFor(controller: BaseController): string | undefined;
}

/** Something that happened to a record, as its timeline shows it. */
export interface TimelineItem {
  readonly at: Date;
  /** The same each time, and no other item's: the name of the plugin and an id, as `comments:12`. */
  readonly key: string;
  /** What the person is called to the reader; undefined for nobody. */
  readonly person: string | undefined;
  readonly html: SafeHtml;
  /** What programs get of it besides `at`, `key` and `person`; without it they get no such item. */
  readonly json?: Readonly<Record<string, unknown>>;
}
/** Which items of a record's timeline are needed. */
export interface TimelinePage {
  /** The reader may see the record; show nothing of it that this person may not see. */
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
  /** Only items of this instant or of before it; undefined for the newest. */
  readonly before: Date | undefined;
  /** How many items at most, the newest first. */
  readonly limit: number;
}

/** The hooks of the slot `history`. */
export interface HistoryHooks {
  /**
   * The timeline of a record is read: add items of a plugin's own, the newest `limit` of those that are not after `before`. They
   * are put in one order with the changes; one tap that fails costs its items alone.
   * @example
   * hooks.history?.timeline.tapPromise("comments", async (items, { record, before, limit }) => {
   *   for (const one of await store.of(record, before, limit))
   *     items.push({ at: one.created_at, key: `comments:${one.id}`, person: one.name, html: html`<p>${one.text}</p>` });
   * });
   */
  timeline: AsyncSeriesHook<[items: TimelineItem[], page: TimelinePage], InPortal>;
}

declare module "framewright/kernel" {
  interface Slots {
    history: { service: History; hooks: HistoryHooks };
  }
}
