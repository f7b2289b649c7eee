import type { RunKind } from "framewright/plugins/background_runs";
import { hasImport } from "./checks.ts";
import type { ImportService } from "./imports.ts";
import { IMPORT_ACTION, UNDO_ACTION } from "./run_actions.ts";

/** The runs that write the rows of imports, and those that take them back. */
export const importRuns = (imports: ImportService): RunKind => ({
  actions: [IMPORT_ACTION, UNDO_ACTION],
  has: hasImport,
  advance: async (run, content) => {
    if (run.action === UNDO_ACTION) return (await import("./undo_work.ts")).advanceUndo(imports.runs, run, content);
    return (await import("./work.ts")).advanceImport(imports.runs, run, content);
  },
  urlOf: (content) => content.page,
  sweep: (now) => imports.sweep(now),
});
