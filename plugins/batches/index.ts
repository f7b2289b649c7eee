import { definePlugin, type Plugin } from "framewright/kernel";
import { BatchService } from "./batches.ts";
import type {} from "./contract.ts";

export type { Batches, BatchPlace, BatchProblem, BatchResult, CreateOptions, RunOptions } from "./contract.ts";

/** Many records at once from code, by the rules that a person's request goes by. */
export function batches(): Plugin {
  return definePlugin({
    name: "batches",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "batches",
    apply: ({ services: { resources } }) => new BatchService(resources),
  });
}
