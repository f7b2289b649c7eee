import type { BackgroundRuns } from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import type { Imports } from "./contract.ts";

/** The service of the application. */
export const importsOf = (controller: ResourceController): Imports => controller.request.kernel.service("imports");
/** That of the application whose runs these are. */
export const importsWith = (runs: BackgroundRuns): Imports => runs.parts.registry.application.kernel.service("imports");
