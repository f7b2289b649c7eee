import { escapeHtml, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { grouped } from "./displays.ts";
import type { PagerView } from "./types.ts";

/** The pages that are offered: the first, the last, and those around the present one; 0 is a gap. */
export function pageWindow(page: number, pages: number): number[] {
  const shown: number[] = [];
  let last = 0;
  for (const number of [1, page - 1, page, page + 1, pages]) {
    if (number <= last || number > pages) continue;
    if (number - last === 2) shown.push(number - 1);
    else if (number - last > 2) shown.push(0);
    shown.push(number);
    last = number;
  }
  return shown;
}

const SIGNS = { previous: "chevron-left", next: "chevron-right" } as const;
const RELATIONS = { previous: "prev", next: "next" } as const;

function step(view: PagerView, to: number, kind: "previous" | "next"): string {
  const sign = iconOrNothing(SIGNS[kind]).html;
  const href = kind === "next" && view.next !== undefined ? escapeHtml(safeUrl(view.next)) : undefined;
  if (href === undefined && (to < 1 || to > view.pages))
    return `<li><span class="fw-page fw-page-off" aria-hidden="true">${sign}</span></li>`;
  const words = `${sign}<span class="visually-hidden">${escapeHtml(view.t(`pager.${kind}`))}</span>`;
  return `<li><a class="fw-page" rel="${RELATIONS[kind]}" href="${href ?? hrefTo(view, to)}"${frameOf(view)}>${words}</a></li>`;
}

const frameOf = ({ frame }: PagerView): string =>
  frame === undefined ? "" : ` data-turbo-frame="${escapeHtml(frame)}"`;
const hrefTo = (view: PagerView, page: number): string => escapeHtml(safeUrl(view.url(page)));

function link(view: PagerView, page: number): string {
  if (page === 0) return '<li class="fw-page-gap"><span aria-hidden="true">&hellip;</span></li>';
  const current = page === view.page ? ' aria-current="page"' : "";
  const label = escapeHtml(view.t("pager.page", { page }));
  return `<li class="fw-page-number"><a class="fw-page"${current} href="${hrefTo(view, page)}"${frameOf(view)} aria-label="${label}">${page}</a></li>`;
}

function links(view: PagerView): string {
  const { page, pages } = view;
  if (pages <= 1) return "";
  let numbers = "";
  const shown = page > pages ? [...pageWindow(pages, pages), 0] : pageWindow(page, pages); // after the last number pages have none
  for (const one of shown) numbers += link(view, one);
  return `<ul>${step(view, page - 1, "previous")}${numbers}${step(view, page + 1, "next")}</ul>`;
}

/**
 * The text in one byte a character, where it has no character beyond Latin-1. A text that had one keeps two bytes a character, and
 * so does every page that it is joined to.
 */
function narrow(text: string): string {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return text;
  return Buffer.from(text, "latin1").toString("latin1");
}

/** How many rows a page has, and links to other numbers. */
function rowCounts({ sizes = [], perPage, t }: PagerView): string {
  if (sizes.length < 2) return "";
  const one = ({ rows, url }: { rows: number; url: string }) =>
    `<a${rows === perPage ? ' aria-current="true"' : ""} href="${escapeHtml(safeUrl(url))}">${rows}</a>`;
  return `<p class="fw-sizes">${escapeHtml(t("pager.rows"))} ${sizes.map(one).join(" ")}</p>`;
}

/** Which part of the list is shown, and links to the others; nothing for a list that is shown whole. */
export function pager(view: PagerView): SafeHtml {
  const { page, perPage, total, capped, locale, t } = view;
  if (total === 0 || (view.pages <= 1 && page === 1 && rowCounts(view) === "")) return raw("");
  const [from, last] = [(page - 1) * perPage + 1, page * perPage];
  const text = (number: number) => grouped(number, locale);
  const range =
    capped === true
      ? t("pager.capped", { from: text(from), to: text(last), total: text(total) })
      : t("pager.range", { from: text(from), to: text(Math.min(last, total)), total: text(total) });
  const label = escapeHtml(view.of === undefined ? t("pager.label") : `${t("pager.label")}: ${view.of}`);
  const words = narrow(escapeHtml(range).replaceAll("\u2013", "&ndash;"));
  return raw(`<nav class="fw-pager" aria-label="${label}"><p>${words}</p>${rowCounts(view)}${links(view)}</nav>`);
}
