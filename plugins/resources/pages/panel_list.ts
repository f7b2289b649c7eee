import { html, localeOf, raw, type SafeHtml } from "framewright/host";
import { emptyState, pager } from "framewright/plugins/fields";
import { attributes, framed, hidden } from "framewright/plugins/fields/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import type { Page } from "../entry/read_page.ts";
import { maySearch, sortableNames } from "../operations/list_context.ts";
import type { ListRequest } from "../registration/list_params.ts";
import { inSentence } from "../registration/resource_texts.ts";
import { hrefOf } from "../registration/urls.ts";
import type { Related } from "./association_panels.ts";
import { HOLES } from "./holes.ts";
import { columnOf } from "./index_page.ts";
import { headersOf, type ListPlan } from "./list_headers.ts";
import { RowsDrawer, tableLook } from "./list_table.ts";
import { PANEL_ROWS, PanelUrls, panelFrame } from "./panel_request.ts";
import { iconSheetFor, rowActionsOf } from "./row_actions.ts";

const PANEL_CHARS = 60;

/** What a panel shows, and how it was requested. */
export interface PanelView {
  list: ListRequest;
  found: Page;
  /** The icons that the page has already; those of the panel's rows are added. */
  icons: Set<string>;
  isAsked: boolean;
}

/** The search, the rows and the pages of a panel, in a frame of their own. */
export function panelList(related: Related, view: PanelView): SafeHtml {
  const { association, panel } = related;
  const { list, found, icons, isAsked } = view;
  const urls = new PanelUrls(related.entry.url(), association.name, list);
  const hasMore = isAsked || found.total > PANEL_ROWS;
  const search = hasMore && maySearch(panel, related.permitted) ? searchBox(related, list, urls) : "";
  const rows = html`${search}${panelRows(related, view, urls)}${hasMore && pagesOf(related, view, urls)}`;
  const frame = panelFrame(association.name);
  if (panel.request.frame === frame) return rows;
  return html`${raw(newIcons(related, icons))}<turbo-frame id="${frame}" target="_top">${rows}</turbo-frame>`;
}

/** The rows of a panel, with their actions; sorted by their headings where `urls` are given. */
export function panelRows(related: Related, { list, found, icons, isAsked }: PanelView, urls?: PanelUrls): SafeHtml {
  const { panel, entry, title } = related;
  if (found.entries.length === 0) return emptyState(emptyOf(related, isAsked));
  const isSorted = urls !== undefined && (isAsked || found.entries.length > 1);
  const plan = planOf(related, isSorted);
  const drawer = new RowsDrawer(panel, plan.columns, { back: entry.url() });
  const body = drawer.draw(found.entries);
  const headers = headersOf(panel, plan, list, urls ?? noSorts, urls && panelFrame(related.association.name));
  const t = (key: string) => panel.t(key);
  const sheet = (urls ? "" : newIcons(related, icons)) + drawer.usual();
  const { hasActions } = drawer;
  return raw(framed({ sheet, caption: title, headers, body, hasActions, ...tableLook(panel), t }));
}
const noSorts = { sort: () => "" };

function planOf({ panel, target, permitted, listed }: Related, isSorted: boolean): ListPlan {
  const sortable = isSorted ? sortableNames(panel, permitted) : [];
  const kind = isSorted && sortable === permitted ? "panel" : `panel sorted by ${sortable.join()}`;
  return target.planWithTexts(panel, kind, listed, (kept) => ({
    columns: kept.map((name) => columnOf(panel, target.attribute(name), sortable, PANEL_CHARS)),
    headers: new Map(),
  }));
}

/** The sheet of the icons of a panel's rows that the page has not yet. It is outside of the frame, whose rows others may replace. */
function newIcons({ panel }: Related, icons: Set<string>): string {
  const fresh = rowActionsOf(panel, true).flatMap(({ icon }) => (icon === undefined || icons.has(icon) ? [] : [icon]));
  for (const icon of fresh) icons.add(icon);
  return iconSheetFor(new Set(fresh));
}

/** The box is compiled for each language; what differs is its address, what is typed in it and what is preserved beside it. */
function searchBox({ panel, target, association, title }: Related, list: ListRequest, urls: PanelUrls): SafeHtml {
  const { name } = association;
  const t = (key: string) => panel.t(key);
  const [before, inside, after] = target.onceWithTexts(panel, `search of panel ${title} ${name}`, () => {
    const label = `${t("resource.search")}: ${title}`;
    const box = { type: "search", name: `${name}[q]`, class: "form-control", "aria-label": label, autocomplete: "off" };
    const shown = html`<form class="fw-toolbar" method="get" action="${raw(HOLES.url)}" role="search" aria-label="${label}" data-turbo-frame="${panelFrame(name)}"><div class="fw-search">${iconOrNothing("search")}<input${raw(attributes({ ...box, placeholder: t("resource.search") }))}${raw(HOLES.url)}</div><button class="btn">${t("framework.search")}</button>`;
    return shown.html.split(HOLES.url) as [string, string, string];
  });
  const value = `${attributes({ value: list.search ?? "" })}>`;
  const sorted = raw(hidden(`${name}[sort]`, urls.sorted));
  const clear =
    list.search !== undefined &&
    html`<a class="btn btn-ghost-secondary" href="${urls.plain}" data-turbo-frame="${panelFrame(name)}">${t("framework.clear")}</a>`;
  return html`${raw(before + hrefOf(urls.plain) + inside + value + after)}${sorted}${clear}</form>`;
}

function pagesOf({ panel, association, title }: Related, { list, found }: PanelView, urls: PanelUrls): SafeHtml {
  const { total, capped } = found;
  return pager({
    page: list.page,
    perPage: PANEL_ROWS,
    total,
    capped,
    pages: Math.max(1, Math.ceil(total / PANEL_ROWS)),
    url: (page) => urls.page(page),
    frame: panelFrame(association.name),
    of: title,
    locale: localeOf(panel.request.locale),
    t: (key, vars) => panel.t(key, vars),
  });
}

function emptyOf({ panel, association, title }: Related, isAsked: boolean) {
  const t = (key: string, vars?: Record<string, unknown>) => panel.t(key, vars);
  if (isAsked) return { title: t("resource.none_found"), text: t("resource.none_found_text"), icon: "search-off" };
  return {
    title: t("resource.empty", { name: inSentence(panel, title) }),
    text: t(association.kind === "hasOne" ? "resource.empty_panel_one" : "resource.empty_panel"),
  };
}
