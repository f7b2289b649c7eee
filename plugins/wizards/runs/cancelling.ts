import type { Move, Visit } from "../faces.ts";
import type { Core } from "./core.ts";
import { filesOf } from "./files.ts";
import { contextOf, limitsOf } from "./identity.ts";
import type { Migrated } from "./migrating.ts";
import { rollBack, stepsBegun } from "./rollback.ts";
import { contentOf, type OpenRun } from "./run.ts";
import type { Happening } from "./trail.ts";
import { awaitEnd } from "./waiting.ts";

/** Ends a run as if it had not been begun: what its steps persisted is destroyed, its files and its row are removed. */
export async function cancel(core: Core, visit: Visit, run: OpenRun): Promise<Move> {
  const { wizard } = visit.mount;
  const context = contextOf(visit);
  const cancelled = await core.store.locked(
    run.id,
    async (row, transaction) => {
      const opened = row && core.open(row, wizard, context);
      if (!opened) return { keys: [] };
      if (opened.run.state !== "in_progress") return undefined;
      const content = contentOf(opened.run);
      const parts = { database: core.database, flow: wizard.flow, transaction };
      await rollBack(parts, content, stepsBegun(wizard.flow, content), context);
      if (row.started_at !== null) await core.trail.record(row, [happening], visit.controller, transaction);
      await core.store.delete(run.id, transaction);
      return { row, keys: keysOf(opened) };
    },
    limitsOf(visit),
  );
  if (!cancelled) return awaitEnd(core, visit, run);
  if (cancelled.row) await core.after(cancelled.row, [happening], cancelled.keys);
  return { kind: "cancelled", returnTo: run.returnTo }; // checked again where it is followed
}
const happening: Happening = { kind: "cancelled" };

const keysOf = ({ stored }: Migrated): string[] => filesOf(stored).map(({ key }) => key);
