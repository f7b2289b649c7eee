import { definePlugin, type Plugin } from "framewright/kernel";
import type { ResourceController } from "framewright/plugins/resources";
import type { ListColumn, ListRequest } from "framewright/plugins/resources/toolkit";
import { addFoot, totalCells, totalsOf } from "./foot_row.ts";
import { drawnTotals, type TotalsOfList } from "./list_totals.ts";

declare module "framewright/kernel" {
  interface Slots {
    summaries: { service: Summaries };
  }
}

/** The service of the slot "summaries". */
export interface Summaries {
  /** The totals of a list as they are now, each as the row below the list shows it; undefined for a list without. */
  drawn: TotalsOfList;
  /** The totals of these columns over the rows of a list, by name, as HTML that is safe; undefined where none has a total. */
  cells(
    controller: ResourceController,
    list: ListRequest,
    columns: readonly ListColumn[],
  ): Promise<ReadonlyMap<string, string> | undefined>;
}

/** Totals below lists: `this.column("fee", { total: "sum" })`. */
export function summaries(): Plugin {
  return definePlugin({
    name: "summaries",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "summaries",
    apply({ hooks, tap }) {
      tap(hooks.resources.listRows, addFoot);
      return {
        drawn: drawnTotals,
        async cells(controller, list, columns) {
          const totals = totalsOf(controller, columns);
          return totals && totalCells(controller, list, totals);
        },
      };
    },
  });
}
