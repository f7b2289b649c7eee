import type { Reply } from "framewright/host";
import { FILTER_FRAME } from "framewright/plugins/fields/toolkit";
import { listedColumns } from "../registration/list_conventions.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";
import { OPEN_FILTERS } from "./filter_panel.ts";
import { hasColumnChoice } from "./list_filters.ts";
import { ListUrls } from "./list_urls.ts";

/** The buttons of the panel that move a column: its name for one place to the right, after a minus for one to the left. */
export const MOVE = "_move";

/** Leads to the list with a column moved, and its panel open; undefined where none is to be moved. */
export function answerMoved(
  controller: ResourceRequest,
  list: ListRequest,
  names: readonly string[],
): Reply | undefined {
  const given = controller.params.get(MOVE);
  if (typeof given !== "string" || controller.request.format === "json" || !hasColumnChoice(controller, names))
    return undefined;
  const columns = [...(list.columns ?? listedColumns(controller.registration, names))];
  const at = columns.indexOf(given.replace(/^-/, ""));
  const [moved, to] = [columns[at], at + (given.startsWith("-") ? -1 : 1)];
  if (moved !== undefined && columns[to] !== undefined) [columns[at], columns[to]] = [columns[to], moved];
  const urls = new ListUrls(controller, { ...list, columns });
  return controller.redirectTo(`${urls.with(OPEN_FILTERS, "1")}#${FILTER_FRAME}`);
}
