import type { ResourceController } from "framewright/plugins/resources";
import { type ListRequest, listColumns } from "framewright/plugins/resources/toolkit";
import { hasTotals, totalCells, totalsOf } from "./foot_row.ts";

/** Draws the totals of a list, in the order of its columns. */
export type TotalsOfList = (
  controller: ResourceController,
  list: () => ListRequest | undefined,
) => Promise<readonly string[] | undefined>;

/** The totals of a list as they are now, each as the row below the list shows it. */
export const drawnTotals: TotalsOfList = async (controller, listOf) => {
  const list = hasTotals(controller) ? listOf() : undefined;
  if (!list) return undefined;
  const totals = totalsOf(controller, listColumns(controller, list));
  const cells = totals && (await totalCells(controller, list, totals));
  return cells && [...cells.values()];
};
