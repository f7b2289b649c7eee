import type { ResourceController } from "framewright/plugins/resources";
import type { Entry } from "framewright/plugins/resources/toolkit";
import { cellText, columnLabel } from "./cell_text.ts";
import { csvLine } from "./csv_line.ts";

/** The formats that a list is exported in, by the ending of the file's name. */
export const exportFormats = ["csv", "xlsx", "jsonl"] as const;
/** One of these. */
export type ExportFormat = (typeof exportFormats)[number];
/** Those that are written line by line. */
export type LineFormat = Exclude<ExportFormat, "xlsx">;

/** The methods of the controller that answer with them. */
export const exportMethods = { csv: "exportCsv", xlsx: "exportXlsx", jsonl: "exportJsonLines" } as const;

/** How entries are written. */
export interface ExportWriter {
  readonly type: string;
  /** What the file begins with. */
  readonly head: string;
  write(entries: readonly Entry[]): string;
}

const BYTE_ORDER_MARK = "\uFEFF"; // by which Excel knows UTF-8

/** Writes what `names` refer to. */
export const writers: Record<LineFormat, (controller: ResourceController, names: readonly string[]) => ExportWriter> = {
  csv(controller, names) {
    const attributes = names.map((name) => controller.registration.attribute(name));
    const labels = attributes.map((attribute) => columnLabel(controller, attribute));
    return {
      type: "text/csv; charset=utf-8",
      head: BYTE_ORDER_MARK + csvLine(labels),
      write: (entries) => entries.map((one) => csvLine(attributes.map((each) => cellText(one, each)))).join(""),
    };
  },
  jsonl({ registration }, names) {
    const plan = registration.jsonPlan(names);
    return {
      type: "application/jsonl; charset=utf-8",
      head: "",
      write: (entries) => entries.map((entry) => `${JSON.stringify(entry.json(plan))}\n`).join(""),
    };
  },
};
