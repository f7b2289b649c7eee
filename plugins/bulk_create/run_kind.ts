import type { BackgroundRuns, RunKind } from "framewright/plugins/background_runs";
import { Policy } from "framewright/plugins/resources";
import { CREATION } from "./run_content.ts";

/** The runs that create records in the background. */
export const bulkCreateRuns = (runs: BackgroundRuns): RunKind => ({
  actions: [CREATION],
  has: ({ policyClass, singular }) => !singular && policyClass.prototype.canCreate !== Policy.prototype.canCreate,
  advance: async (run, content) => (await import("./work.ts")).advanceCreation(runs, run, content),
  page: (controller, { done, failed }) => ({
    title: controller.t("bulk_create.title"),
    note: `${controller.t("bulk_create.created", { count: done })} ${controller.t("bulk_create.failed", { count: failed })}`,
    cancelLabel: controller.t("resource.background.cancel"),
  }),
});
