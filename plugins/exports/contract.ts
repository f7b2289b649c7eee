import type { Reply } from "framewright/host";
import type { BackgroundRuns } from "framewright/plugins/background_runs";
import type { Storage } from "framewright/plugins/storage";
import type { ExportedFile } from "./exported_file.ts";
import type { ExportFormat } from "./formats.ts";
import type { ExportSettings } from "./settings.ts";

/** The service of the slot "exports". */
export interface Exports {
  readonly settings: ExportSettings;
  /** What makes files in the background; undefined where the application has no runs or no storage. */
  readonly background: { readonly runs: BackgroundRuns; readonly storage: Storage } | undefined;
}

declare module "framewright/kernel" {
  interface Slots {
    exports: { service: Exports };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** All that the list shows, as a download. A POST leaves it to a job, which calls this again. */
    exportCsv(): Promise<Reply>;
    exportXlsx(): Promise<Reply>;
    exportJsonLines(): Promise<Reply>;
    /** The file that an export in the background has written. */
    exportFile(): Promise<Reply>;
  }
}
declare module "framewright/plugins/background_runs" {
  interface RunContent {
    /** The format of the export that is written. */
    readonly export?: ExportFormat | undefined;
  }
  interface RunProblems {
    /** Of an export that has ended: its file. */
    readonly file?: ExportedFile | undefined;
  }
}
