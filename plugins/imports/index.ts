import type { Reply } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ResourceController } from "framewright/plugins/resources";
import { importButton } from "./button.ts";
import { hasImport } from "./checks.ts";
import type {} from "./contract.ts";
import { drawImport } from "./draw_import.ts";
import { ImportService } from "./imports.ts";
import { importTable } from "./personal_data.ts";
import { importRuns } from "./run_kind.ts";

export type { Imports } from "./contract.ts";

type Answers = typeof import("./answers.ts") & typeof import("./undo.ts");
/** An action that is loaded with the first request to it. */
const lazy =
  (
    name:
      | "newImport"
      | "createImport"
      | "showImport"
      | "mapImport"
      | "checkImport"
      | "startImport"
      | "cancelImport"
      | "importFailures"
      | "askUndoImport"
      | "undoImport",
  ) =>
  async (controller: ResourceController): Promise<Reply> => {
    const modules = { ...(await import("./answers.ts")), ...(await import("./undo.ts")) } as Answers;
    return modules[name](controller);
  };

/** Imports of files into lists, for those whose policy has `canImport()`. Tables of `fw:imports:install`. */
export function imports(): Plugin {
  return definePlugin({
    name: "imports",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources", "storage", "background_runs"],
    provides: "imports",
    apply({ services: { database, storage, background_runs: runs, resources }, hooks, settings }) {
      const service = new ImportService({ database, storage, runs, secrets: settings.secrets });
      runs.define(importRuns(service));
      hooks.personal_data?.sources.tap("imports", (sources) => sources.table(importTable(service)));
      resources.addActions({
        newImport: lazy("newImport"),
        createImport: lazy("createImport"),
        showImport: lazy("showImport"),
        mapImport: lazy("mapImport"),
        checkImport: lazy("checkImport"),
        startImport: lazy("startImport"),
        cancelImport: lazy("cancelImport"),
        askUndoImport: lazy("askUndoImport"),
        undoImport: lazy("undoImport"),
        importFailures: lazy("importFailures"),
      });
      hooks.resources.place.tap("imports", (place) => {
        if (!place.single && !place.about.parent && hasImport(place.about.registration)) drawImport(place);
      });
      hooks.resources.listHead.tap("imports", ({ controller, menu, policy }) => {
        const button = importButton(controller, policy);
        if (button) menu.push(button);
      });
      return service;
    },
  });
}
