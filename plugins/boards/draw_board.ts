import { escapeHtml, html, humanize, raw, type SafeHtml } from "framewright/host";
import type { CardDrawer } from "framewright/plugins/cards";
import { fieldLabel, type ResourceRequest, valueLabels } from "framewright/plugins/resources";
import {
  type Entry,
  hrefOf,
  type ListRequest,
  type ListUrls,
  numberText,
  type ShapePage,
} from "framewright/plugins/resources/toolkit";
import { iconSheet, iconUse } from "framewright/plugins/views";
import type { Board } from "./board_options.ts";
import { LANE, type Lane } from "./lanes.ts";
import { mayWrite, movesOf, orderOf } from "./moves.ts";

/** What a board is drawn with. */
export interface BoardView extends ShapePage {
  readonly board: Board;
  readonly lanes: readonly Lane[];
  readonly drawer: CardDrawer;
  /** Names of assets, in the order in which they are loaded. */
  readonly scripts: readonly string[];
}

/** The columns of a board with their cards, and what moves these. */
export function drawBoard(controller: ResourceRequest, view: BoardView): SafeHtml {
  const { board, list, urls, lanes } = view;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.board.${key}`, vars);
  const shown = lanes.filter(({ value, page }) => value !== null || page.entries.length > 0);
  const order = isOrdered(controller, list) ? raw(" data-ordered") : "";
  const texts = raw(
    ` data-moved="${escapeHtml(t("moved"))}" data-failed="${escapeHtml(t("failed"))}" data-gone="${escapeHtml(t("gone"))}"`,
  );
  const whole =
    controller.params.has(LANE) &&
    html`<p class="fw-board-whole"><a class="btn" href="${urls.same()}">${t("whole")}</a></p>`;
  const assets = controller.request.kernel.service("assets");
  const scripts = view.scripts.map((name) => html`<script src="${assets.url(name)}" defer></script>`);
  const label = t("label", {
    column: fieldLabel(controller, controller.registration, controller.registration.attribute(board.by), "listed"),
  });
  const columns = shown.map((lane) => laneOf(controller, view, lane));
  return html`${iconSheet(["dots", "arrow-up", "arrow-down"])}${whole}<p class="fw-board-problem" role="alert" hidden></p><p class="visually-hidden" role="status" data-board-status></p><div class="fw-board" role="region" aria-label="${label}" data-url="${urls.same()}"${order}${texts}>${columns}</div>${scripts}`;
}

/** Whether cards stand in the order that people put them in. */
function isOrdered(controller: ResourceRequest, { sorts }: ListRequest): boolean {
  const { reorderedBy } = controller.registration.definition;
  const [sort, ...more] = sorts;
  if (reorderedBy === undefined || sort?.name !== reorderedBy || sort.direction !== "asc" || more.length > 0)
    return false;
  return controller.request.kernel.has("reorder");
}

function laneOf(controller: ResourceRequest, view: BoardView, lane: Lane): SafeHtml {
  const { board, list, urls } = view;
  const { value, page } = lane;
  const key = value ?? "";
  const label = laneLabel(controller, board, value);
  const id = `fw-lane-${escapeHtml(key)}`;
  const tones = registrationTones(controller, board.by);
  const limit = value === null ? undefined : board.limits[value];
  const count = numberText(controller, page.total) + (page.capped ? "+" : "");
  const isOver = limit !== undefined && page.total > limit;
  const limitText =
    limit === undefined
      ? false
      : html`<span aria-hidden="true"> / ${limit}</span><span class="visually-hidden">${controller.t("resource.board.limit", { limit })}</span>`;
  const counted = html`<span class="fw-lane-count${isOver ? " fw-lane-over" : ""}"${raw(limit === undefined ? "" : ` data-limit="${limit}"`)}><span data-count>${count}</span>${limitText}</span>`;
  const cards = cardsOf(controller, view, lane);
  const next =
    lane.next !== undefined &&
    html`<a class="btn fw-lane-more" href="${nextUrl(urls, list, lane)}">${controller.t("resource.board.more")}</a>`;
  return html`<section class="fw-lane" data-lane="${key}" aria-labelledby="${raw(id)}"><h2 class="fw-lane-head" id="${raw(id)}"><span class="fw-status fw-status-${tones[key] ?? "neutral"}" data-lane-name>${label}</span>${counted}</h2><ul class="fw-lane-cards">${raw(cards)}</ul>${next}</section>`;
}

const registrationTones = ({ registration }: ResourceRequest, by: string): Readonly<Record<string, string>> =>
  registration.attribute(by).listed.tones ?? {};

/** What a column is called. */
export function laneLabel(controller: ResourceRequest, { by }: Board, value: string | null): string {
  if (value === null) return controller.t("resource.board.none");
  return valueLabels(controller, controller.registration, by)?.[value] ?? humanize(value);
}

function nextUrl(urls: ListUrls, { askedPerPage }: ListRequest, { value, next }: Lane): string {
  const url = typeof next === "number" ? urls.page(next, askedPerPage) : urls.after(next!, askedPerPage);
  return `${url}&${LANE}=${encodeURIComponent(value ?? "")}`;
}

function cardsOf(controller: ResourceRequest, view: BoardView, { page: { entries } }: Lane): string {
  const { board, list, urls, drawer } = view;
  const back = urls.same();
  const labelOf = (value: string | null) => laneLabel(controller, board, value);
  const { reorderedBy = "" } = controller.registration.definition;
  const ordered = isOrdered(controller, list);
  const t = (key: string, vars?: Record<string, unknown>) => escapeHtml(controller.t(`resource.board.${key}`, vars));
  const card = (entry: Entry, at: number): string => {
    const isMovable = ordered && mayWrite(controller, entry, reorderedBy);
    const moves = movesOf(controller, entry, { board, back, labelOf });
    const beside = { previous: entries[at - 1], next: entries[at + 1] };
    const order = isMovable ? orderOf(controller, entry, back, beside) : "";
    const url = isMovable ? ` data-order="${hrefOf(`${entry.url()}/order`)}"` : "";
    const attributes = ` data-card="${escapeHtml(String(entry.id))}"${url}`;
    if (moves === "" && order === "") return drawer.draw(entry, { attributes });
    const name = t("menu", { name: entry.toLabel() });
    const title = moves === "" ? "" : `<p class="fw-dropdown-title">${t("to")}</p>${moves}`;
    const foot = `<details class="fw-dropdown fw-card-menu"><summary class="fw-row-action" aria-label="${name}" title="${name}">${iconUse("dots").html}</summary><div class="fw-dropdown-panel">${title}${order}</div></details>`;
    return drawer.draw(entry, { attributes, foot });
  };
  return entries.map(card).join("");
}
