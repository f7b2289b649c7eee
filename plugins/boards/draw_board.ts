import { escapeHtml, html, raw, type SafeHtml } from "framewright/host";
import type { CardDrawer } from "framewright/plugins/cards";
import { fieldLabel, type ResourceRequest } from "framewright/plugins/resources";
import { type ListRequest, type ListUrls, numberText, type ShapePage } from "framewright/plugins/resources/toolkit";
import { iconSheet } from "framewright/plugins/views";
import type { Board } from "./board_options.ts";
import { isOrdered, laneCards, laneLabel } from "./lane_cards.ts";
import { LANE, type Lane } from "./lanes.ts";

/** What a board is drawn with. */
export interface BoardView extends ShapePage {
  readonly board: Board;
  readonly lanes: readonly Lane[];
  readonly drawer: CardDrawer;
  /** Names of assets, in the order in which they are loaded. */
  readonly scripts: readonly string[];
}

/** The columns of a board with their cards, and what moves these. */
export async function drawBoard(controller: ResourceRequest, view: BoardView): Promise<SafeHtml> {
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
  const columns: SafeHtml[] = [];
  for (const lane of shown) columns.push(await laneOf(controller, view, lane));
  return html`${iconSheet(["dots", "arrow-up", "arrow-down"])}${whole}<p class="fw-board-problem" role="alert" hidden></p><p class="visually-hidden" role="status" data-board-status></p><div class="fw-board" role="region" aria-label="${label}" data-url="${urls.same()}"${order}${texts}>${columns}</div>${scripts}`;
}

async function laneOf(controller: ResourceRequest, view: BoardView, lane: Lane): Promise<SafeHtml> {
  const { board, list, urls } = view;
  const { value, page } = lane;
  const key = value ?? "";
  const id = `fw-lane-${board.values.indexOf(key)}`;
  const label = laneLabel(controller, board, value);
  const { tones = {} } = controller.registration.attribute(board.by).listed;
  const limit = value === null ? undefined : board.limits[value];
  const count = numberText(controller, page.total) + (page.capped ? "+" : "");
  const isOver = limit !== undefined && page.total > limit;
  const limitText =
    limit === undefined
      ? false
      : html`<span aria-hidden="true"> / ${limit}</span><span class="visually-hidden">${controller.t("resource.board.limit", { limit })}</span>`;
  const counted = html`<span class="fw-lane-count${isOver ? " fw-lane-over" : ""}"${raw(limit === undefined ? "" : ` data-limit="${limit}"`)}><span data-count>${count}</span>${limitText}</span>`;
  const cards = await laneCards(controller, view, lane);
  const next =
    lane.next !== undefined &&
    html`<a class="btn fw-lane-more" href="${nextUrl(urls, list, lane)}">${controller.t("resource.board.more")}</a>`;
  return html`<section class="fw-lane" data-lane="${key}" aria-labelledby="${id}"><h2 class="fw-lane-head" id="${id}"><span class="fw-status fw-status-${Object.hasOwn(tones, key) ? tones[key] : "neutral"}" data-lane-name>${label}</span>${counted}</h2><ul class="fw-lane-cards">${raw(cards)}</ul>${next}</section>`;
}

function nextUrl(urls: ListUrls, { askedPerPage }: ListRequest, { value, next }: Lane): string {
  const url = typeof next === "number" ? urls.page(next, askedPerPage) : urls.after(next!, askedPerPage);
  return `${url}&${LANE}=${encodeURIComponent(value ?? "")}`;
}
