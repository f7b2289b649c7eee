import type { RunRow } from "framewright/plugins/background_runs";
import { type ExportFormat, exportFormats } from "./formats.ts";

// The dot keeps it apart from the keys of actions.
const PREFIX = "export.";

/** By what the runs of exports are known. */
export const exportAction = (format: ExportFormat): string => PREFIX + format;
export const exportActions: readonly string[] = exportFormats.map(exportAction);

export const isExport = ({ action }: Pick<RunRow, "action">): boolean => exportActions.includes(action);
