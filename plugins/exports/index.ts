import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { allows, type ResourceController } from "framewright/plugins/resources";
import type { Exports } from "./contract.ts";
import { exportMenu } from "./export_menu.ts";
import { exportFormats, exportMethods } from "./formats.ts";
import { permitsExport } from "./permits_export.ts";
import { exportRuns } from "./run_kind.ts";
import { type ExportOptions, exportSettings } from "./settings.ts";

export { choicesOf, columnLabel, isInstant } from "./cell_text.ts";
export type { Exports } from "./contract.ts";
export { csvLine, isFormula, joinLabels, splitLabels } from "./csv_line.ts";
export type { ExportFormat } from "./formats.ts";
export type { ExportOptions } from "./settings.ts";
export { SpoolFile } from "./spool_file.ts";

const answers = () => import("./answer_export.ts"); // loaded with the first

/** Downloads of lists as CSV, spreadsheet and JSON lines, for those whose policy has `canExport()`. */
export function exports(options: ExportOptions = {}): Plugin {
  checkOptions("exports", options, { backgroundRows: option.number, keepHours: option.number });
  return definePlugin({
    name: "exports",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources"],
    uses: ["background_runs", "storage"],
    provides: "exports",
    apply({ services: { background_runs: runs, storage, resources }, hooks }) {
      const background = runs && storage ? { runs, storage } : undefined;
      const service: Exports = { settings: exportSettings(options), background };
      runs?.define(exportRuns(service));
      resources.addActions({
        exportCsv: async (controller) => (await answers()).answerExport(controller, "csv"),
        exportXlsx: async (controller) => (await answers()).answerExport(controller, "xlsx"),
        exportJsonLines: async (controller) => (await answers()).answerExport(controller, "jsonl"),
        exportFile: async (controller: ResourceController) =>
          (await import("./exported_file.ts")).downloadExport(controller),
      });
      hooks.resources.place.tap("exports", ({ about, base, single, draw }) => {
        if (single) return;
        const isLeft = background !== undefined && permitsExport(about.registration);
        for (const format of exportFormats) {
          const path = `${base}/export.${format}`; // no id and no slug has a dot
          const route = { action: exportMethods[format], policy: "canExport" };
          draw("GET", path, route);
          if (isLeft) draw("POST", path, route);
        }
        const file = `${base}/background_runs/:run_id/file`;
        if (isLeft && !about.parent) draw("GET", file, { action: "exportFile", policy: "(owner)" });
      });
      hooks.resources.listHead.tap("exports", ({ controller, urls, menu, policy }) => {
        if (allows(policy, "export")) menu.push(exportMenu(controller, urls));
      });
      return service;
    },
  });
}
