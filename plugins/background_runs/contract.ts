import type { Reply } from "framewright/host";
import type { BackgroundRunService } from "./runs.ts";

/** The service of the slot "background_runs": runs of interactions in the background, and of the kinds that plugins add. */
export interface BackgroundRuns extends Pick<BackgroundRunService, keyof BackgroundRunService> {}

declare module "framewright/kernel" {
  interface Slots {
    background_runs: { service: BackgroundRuns };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** The person's runs in the background at this list. */
    backgroundRuns(): Promise<Reply>;
    /** The page of a run in the background. */
    backgroundRun(): Promise<Reply>;
    cancelBackgroundRun(): Promise<Reply>;
  }
}
