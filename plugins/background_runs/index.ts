import { checkOptions, definePlugin, option, type Plugin, stage } from "framewright/kernel";
import type {} from "framewright/plugins/storage";
import { checkBackground } from "./checks.ts";
import type {} from "./contract.ts";
import { describeRuns } from "./describe_runs.ts";
import { addBanners } from "./own_runs.ts";
import { runTable } from "./personal_data.ts";
import { BackgroundRunService, type BackgroundRunsOptions } from "./runs.ts";
import { startRun } from "./start_run.ts";

export { apart } from "./apart.ts";
export { CHUNK_MS, type Chunk, chunkDeadline, mayChunk, turnIn } from "./chunk_turn.ts";
export type { RunContent, RunProblems } from "./content.ts";
export type { BackgroundRuns } from "./contract.ts";
export { enter } from "./enter.ts";
export { finish, SLICE_MS } from "./finish_run.ts";
export { answerStarted, NewRun } from "./new_run.ts";
export { findOwnRun, runsOf } from "./own_run.ts";
export { progressOf } from "./progress.ts";
export { isOpen, processedOf, type RunRow } from "./run.ts";
export { runUrl } from "./run_page.ts";
export type { BackgroundRunsOptions, RunKind, RunPage } from "./runs.ts";
export { RunMovedError } from "./store.ts";

const SWEEP_MS = 15 * 60_000;
const pages = () => import("./run_page.ts"); // loaded with the first

/** Interactions in the background, with the pages of their runs: `static override inBackground = true`. A table of `fw:background:install`. */
export function backgroundRuns(options: BackgroundRunsOptions = {}): Plugin {
  checkOptions("backgroundRuns", options, { keep: option.number, lease: option.number });
  return definePlugin({
    name: "background_runs",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources", "jobs"],
    uses: ["storage"],
    provides: "background_runs",
    apply({ services: { database, host, jobs, resources, storage }, hooks, settings, registrant, tap }) {
      const { registry, fieldTypes } = resources;
      const { secrets } = settings;
      const runs = new BackgroundRunService({
        ...{ registry, database, hooks: resources.hooks, jobs, storage, secrets, options },
        registrant,
      });
      resources.leaveActionsTo({
        isReady: () => runs.store.isInstalled(),
        start: startRun,
        latest: (limit) => runs.latest(limit),
        cancelById: (id) => runs.cancelById(id),
      });
      resources.addActions({
        backgroundRuns: async (controller) => (await import("./own_runs.ts")).showRuns(controller),
        backgroundRun: async (controller) => (await pages()).showRun(controller),
        cancelBackgroundRun: async (controller) => (await pages()).cancelRun(controller),
      });
      hooks.resources.place.tap({ name: "background_runs", stage: stage.late }, ({ about, base, draw }) => {
        if (about.parent || !runs.has(about.registration)) return;
        draw("GET", `${base}/background_runs`, { action: "backgroundRuns", policy: "(owner)" });
        draw("GET", `${base}/background_runs/:run_id`, { action: "backgroundRun", policy: "(owner)" });
        draw("POST", `${base}/background_runs/:run_id/cancel`, { action: "cancelBackgroundRun", policy: "(owner)" });
      });
      tap(hooks.resources.listHead, addBanners);
      hooks.kernel.ready.tap("background_runs", () => {
        for (const registration of registry.all()) checkBackground(registration, fieldTypes, storage !== undefined);
        runs.open();
      });
      if (hooks.openapi) describeRuns(hooks.openapi.operation);
      hooks.personal_data?.sources.tap("background_runs", (sources) => sources.table(runTable(runs)));
      host.periodic.add(SWEEP_MS, () => runs.sweep());
      hooks.kernel.close.tapPromise({ name: "background_runs", stage: stage.early }, () => runs.stop()); // before the jobs wait
      return runs;
    },
  });
}
