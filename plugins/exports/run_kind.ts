import type { RunKind } from "framewright/plugins/background_runs";
import type { Exports } from "./contract.ts";
import { permitsExport } from "./permits_export.ts";
import { removeExpired } from "./removal.ts";
import { exportActions } from "./run_action.ts";
import { exportJson, exportPage } from "./run_view.ts";

/** The runs that write the files of exports. */
export const exportRuns = (service: Exports): RunKind => ({
  actions: exportActions,
  has: (registration) => service.background !== undefined && permitsExport(registration),
  advance: async (run, content) => (await import("./work.ts")).advanceExport(service, run, content),
  page: exportPage,
  json: exportJson,
  sweep: (now) => removeExpired(service, now),
});
