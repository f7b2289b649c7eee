import { html, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import type { Translate } from "./types.ts";

/** A filter that is on, and the list without it. */
export interface ChipView {
  label: string;
  text: string;
  url: string;
}

/** The filters that are on, each a link that takes it away. */
export function filterChips(chips: readonly ChipView[], t: Translate): SafeHtml {
  const items = chips.map(({ label, text, url }) => {
    const words = `${label}: ${text}`;
    return html`<li><a class="fw-chip" href="${safeUrl(url)}" aria-label="${t("filters.remove", { filter: words })}"><span>${label}</span> ${text}${iconOrNothing("x")}</a></li>`;
  });
  return html`<ul class="fw-chips" aria-label="${t("framework.filters")}">${items}</ul>`;
}
