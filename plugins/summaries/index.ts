import { definePlugin, type Plugin } from "framewright/kernel";
import { addFoot } from "./foot_row.ts";
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
}

/** Totals below lists: `this.column("fee", { total: "sum" })`. */
export function summaries(): Plugin {
  return definePlugin({
    name: "summaries",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "summaries",
    apply({ hooks }) {
      hooks.resources.listRows.tapPromise("summaries", addFoot);
      return { drawn: drawnTotals };
    },
  });
}
