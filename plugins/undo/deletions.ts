import type { Database, Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { DeletionSealer } from "./content.ts";
import type { Undo, UndoHooks } from "./index.ts";
import type { Kept } from "./keep.ts";
import { type ForeignColumns, foreignColumns } from "./restorable.ts";
import { DeletionStore } from "./store.ts";

/** For how long a deletion can be undone. */
export const UNDO_MINUTES = 10;

/** The deletions of an application that can be undone. */
export class Deletions implements Undo {
  readonly database: Database;
  readonly store: DeletionStore;
  readonly sealer: DeletionSealer;
  /** What requests have deleted and stored. */
  readonly kept = new WeakMap<ResourceRequest, Kept>();
  readonly restored: UndoHooks["restored"];
  #foreign: Promise<ForeignColumns[]> | undefined;

  constructor(database: Database, secrets: readonly string[], restored: UndoHooks["restored"]) {
    this.restored = restored;
    this.database = database;
    this.store = new DeletionStore(database);
    this.sealer = new DeletionSealer(secrets);
  }

  sweep(): Promise<void> {
    return this.store.sweep();
  }
  /** The foreign keys of tables without a model; read once. */
  foreign(transaction: Transaction): Promise<ForeignColumns[]> {
    this.#foreign ??= foreignColumns(this.database.models(), transaction).catch((error: unknown) => {
      this.#foreign = undefined;
      throw error;
    });
    return this.#foreign;
  }
}
