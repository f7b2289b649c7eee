import { csrfInput, escapeHtml } from "framewright/host";
import { hidden } from "framewright/plugins/fields/toolkit";
import type { ResourceController } from "framewright/plugins/resources";
import { type Entry, hrefOf, type ListRows } from "framewright/plugins/resources/toolkit";
import { iconUse } from "framewright/plugins/views";
import { mayMove } from "./may_move.ts";

const needs = { scripts: ["sortable.js", "order.js"], icons: ["arrow-up", "arrow-down", "grip-vertical"] };

/** Adds what moves the rows of a list that is sorted by the order of its definition. */
export function addMoves(rows: ListRows): void {
  const { controller, list, entries } = rows;
  const { reorderedBy } = controller.registration.definition;
  const [sort, ...more] = list.sorts;
  const isOrdered = sort?.name === reorderedBy && sort?.direction === "asc" && more.length === 0;
  if (reorderedBy === undefined || !isOrdered) return;
  const back = hidden("return_to", controller.request.raw.url);
  const at = new Map(entries.map((entry, index) => [entry, index]));
  rows.addExtra((entry) => {
    if (!mayMove(controller, entry.policy())) return "";
    const index = at.get(entry)!;
    const url = `${entry.url()}/order`;
    const buttons = [
      button(controller, entry, "up", entries[index - 1]),
      button(controller, entry, "down", entries[index + 1]),
    ];
    const handle = `<span class="fw-order-handle" hidden>${iconUse("grip-vertical").html}</span>`;
    return `<form class="fw-order" method="post" action="${hrefOf(url)}" data-id="${escapeHtml(String(entry.id))}">${csrfInput(controller.request, url, "post").html}${back}${buttons.join("")}${handle}</form>`;
  }, needs);
}

/** Past the neighbour on the page; at its end past the one of the next page. */
function button(
  controller: ResourceController,
  entry: Entry,
  way: "up" | "down",
  neighbour: Entry | undefined,
): string {
  const name = neighbour === undefined ? "move" : way === "up" ? "before" : "after";
  const value = neighbour === undefined ? way : String(neighbour.id);
  const words = escapeHtml(controller.t(`resource.order.${way}`, { name: entry.toLabel() }));
  return `<button class="fw-row-action" name="${name}" value="${escapeHtml(value)}" data-order="${way}" aria-label="${words}" title="${words}">${iconUse(`arrow-${way}`).html}</button>`;
}
