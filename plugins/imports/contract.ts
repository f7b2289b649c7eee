import type { Reply } from "framewright/host";
import type { ImportCounts } from "./content.ts";
import type { ImportService } from "./imports.ts";

/** The service of the slot "imports": files that wait, what their columns are for, and the rows that failed. */
export interface Imports extends Pick<ImportService, keyof ImportService> {}

declare module "framewright/kernel" {
  interface Slots {
    imports: { service: Imports };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** The steps of an import of a file into the list. */
    newImport(): Promise<Reply>;
    createImport(): Promise<Reply>;
    showImport(): Promise<Reply>;
    mapImport(): Promise<Reply>;
    checkImport(): Promise<Reply>;
    startImport(): Promise<Reply>;
    cancelImport(): Promise<Reply>;
    askUndoImport(): Promise<Reply>;
    undoImport(): Promise<Reply>;
    importFailures(): Promise<Reply>;
  }
}
declare module "framewright/plugins/background_runs" {
  interface RunContent {
    /** The id of the import whose rows are written. */
    readonly import?: number | undefined;
    /** Whether what that import wrote is taken back. */
    readonly undo?: boolean | undefined;
  }
  interface RunProblems {
    /** Of an import: how many rows became what. */
    readonly counts?: ImportCounts | undefined;
  }
}
