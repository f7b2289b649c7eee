import type { Reply } from "framewright/host";
import { AsyncSeriesHook, definePlugin, type Plugin } from "framewright/kernel";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { Deletions } from "./deletions.ts";
import { keepDeletion, undoNotice, undoQuestion } from "./keep.ts";
import { deletionSource } from "./personal_data.ts";

declare module "framewright/kernel" {
  interface Slots {
    undo: { service: Undo; hooks: UndoHooks };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** Restores what the person has just deleted. */
    undoDeletion(): Promise<Reply>;
  }
}

/** The service of the slot "undo". */
export interface Undo {
  /** Deletes what can't be undone any more. */
  sweep(): Promise<void>;
}

/** Deleted records that are written again. */
export interface Restored {
  readonly records: readonly BaseModel[];
  readonly transaction: Transaction;
}
/** The hooks of the slot "undo". */
export interface UndoHooks {
  /** Deleted records were written again, in the transaction that restores them: restore what hangs on them. A throw keeps them deleted. */
  restored: AsyncSeriesHook<[restored: Restored]>;
}

const SWEEP_MS = 15 * 60_000;

/** People undo their deletions for ten minutes, from a table of `fw:deletions:install`. */
export function undo(): Plugin {
  return definePlugin({
    name: "undo",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "undo",
    hooks: (): UndoHooks => ({ restored: new AsyncSeriesHook(["restored"]) }),
    apply({ services: { database, host, resources }, hooks, settings }) {
      const deletions = new Deletions(database, settings.secrets, hooks.undo.restored);
      const undoDeletion = async (controller: ResourceController) =>
        (await import("./undo.ts")).undoDeletion(controller, deletions); // loaded with the first
      resources.addActions({ undoDeletion });
      hooks.personal_data?.sources.tap("undo", (sources) => sources.add(deletionSource(deletions)));
      hooks.resources.place.tap("undo", ({ base, single, through, draw }) => {
        if (single || through) return;
        draw("POST", `${base}/deletions/:undo_key/undo`, { action: "undoDeletion", policy: "canCreate" });
      });
      hooks.resources.destroying.tapPromise("undo", (destroying) => keepDeletion(deletions, destroying));
      hooks.resources.destroyQuestion.tapPromise("undo", (records, controller) =>
        undoQuestion(deletions, controller, records),
      );
      hooks.resources.destroyed.tap("undo", (ids, controller) => undoNotice(deletions, controller, ids));
      host.periodic.add(SWEEP_MS, () => deletions.sweep());
      return deletions;
    },
  });
}
