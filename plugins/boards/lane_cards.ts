import { escapeHtml, humanize } from "framewright/host";
import { mayWrite } from "framewright/plugins/cards";
import { type ResourceRequest, valueLabels } from "framewright/plugins/resources";
import { type Entry, hrefOf, type ListRequest, originalMarks } from "framewright/plugins/resources/toolkit";
import { iconUse } from "framewright/plugins/views";
import type { Board } from "./board_options.ts";
import type { BoardView } from "./draw_board.ts";
import type { Lane } from "./lanes.ts";
import { movesOf, orderOf } from "./moves.ts";

/** What a column is called. */
export function laneLabel(controller: ResourceRequest, { by }: Board, value: string | null): string {
  if (value === null) return controller.t("resource.board.none");
  return valueLabels(controller, controller.registration, by)?.[value] ?? humanize(value);
}

/** Whether cards are in the order that people put them in. */
export function isOrdered(controller: ResourceRequest, { sorts }: ListRequest): boolean {
  const { reorderedBy } = controller.registration.definition;
  const [sort, ...more] = sorts;
  if (reorderedBy === undefined || sort?.name !== reorderedBy || sort.direction !== "asc" || more.length > 0)
    return false;
  return controller.request.kernel.has("reorder");
}

/** The cards of a column, with the menus that move them. */
export async function laneCards(controller: ResourceRequest, view: BoardView, lane: Lane): Promise<string> {
  const { entries } = lane.page;
  const { board, list, urls, drawer } = view;
  const { registration } = controller;
  const [first] = entries;
  const marks = first && (await originalMarks(controller, [registration.attribute(board.by)], first.record));
  const source = {
    ...{ board, back: urls.same(), marks: marks ?? "" },
    labelOf: (value: string | null) => laneLabel(controller, board, value),
  };
  const { reorderedBy = "" } = registration.definition;
  const ordered = isOrdered(controller, list);
  const t = (key: string, vars?: Record<string, unknown>) => escapeHtml(controller.t(`resource.board.${key}`, vars));
  const card = (entry: Entry, at: number): string => {
    const isMovable = ordered && mayWrite(controller, entry, reorderedBy);
    const moves = movesOf(controller, entry, source);
    const order = isMovable ? orderOf(controller, entry, source, entries.length > 1 ? { entries, at } : undefined) : "";
    const url = isMovable ? ` data-order="${hrefOf(`${entry.url()}/order`)}"` : "";
    const attributes = ` data-card="${escapeHtml(String(entry.id))}"${url}`;
    if (moves === "" && order === "") return drawer.draw(entry, { attributes });
    const name = t("menu", { name: entry.toLabel() });
    const title = moves === "" ? "" : `<p class="fw-dropdown-title">${t("to")}</p>${moves}`;
    const foot = `<details class="fw-dropdown fw-tile-menu"><summary class="fw-row-action" aria-label="${name}" title="${name}">${iconUse("dots").html}</summary><div class="fw-dropdown-panel">${title}${order}</div></details>`;
    return drawer.draw(entry, { attributes, foot });
  };
  return entries.map(card).join("");
}
