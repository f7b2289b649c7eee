import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import type { PagerView } from "./types.ts";

/** The pages that are offered: the first, the last, and those around the present one; 0 is a gap. */
export function pageWindow(page: number, pages: number): number[] {
  const near = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((number, index) => {
    const skipped = number - (shown[index - 1] ?? 0);
    return skipped === 2 ? [number - 1, number] : skipped > 2 ? [0, number] : [number];
  });
}

function step(view: PagerView, to: number, kind: "previous" | "next"): SafeHtml {
  const sign = iconOrNothing(kind === "previous" ? "chevron-left" : "chevron-right");
  const words = html`${sign}<span class="visually-hidden">${view.t(`pager.${kind}`)}</span>`;
  if (to < 1 || to > view.pages)
    return html`<li><span class="fw-page fw-page-off" aria-hidden="true">${sign}</span></li>`;
  return html`<li><a class="fw-page" rel="${kind === "previous" ? "prev" : "next"}" href="${safeUrl(view.url(to))}">${words}</a></li>`;
}

function link(view: PagerView, page: number): SafeHtml {
  if (page === 0) return html`<li class="fw-page-gap"><span aria-hidden="true">…</span></li>`;
  const current = raw(page === view.page ? ' aria-current="page"' : "");
  const label = view.t("pager.page", { page });
  return html`<li class="fw-page-number"><a class="fw-page"${current} href="${safeUrl(view.url(page))}" aria-label="${label}">${page}</a></li>`;
}

/** Which part of the list is shown, and the way to the others. */
export function pager(view: PagerView): SafeHtml {
  const { page, perPage, total, pages, capped, t } = view;
  if (total === 0) return raw("");
  const from = (page - 1) * perPage + 1;
  const range = t(capped === true ? "pager.capped" : "pager.range", {
    from,
    to: Math.min(page * perPage, total),
    total,
  });
  const links =
    pages > 1 &&
    html`<ul>${step(view, page - 1, "previous")}${pageWindow(page, pages).map((one) => link(view, one))}${step(view, page + 1, "next")}</ul>`;
  return html`<nav class="fw-pager" aria-label="${t("pager.label")}"><p>${range}</p>${links}</nav>`;
}
