import { html, localeOf, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing, timeTag } from "framewright/plugins/views";
import type { CardLink, LinksOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import type { WaitingItem } from "../contract.ts";
import { emptyCard } from "./failed.ts";

/** A list of links. */
export function links({ controller }: CardRequest, options: LinksOptions<never>, data: readonly CardLink[]): SafeHtml {
  if (data.length === 0) return emptyCard(options.empty ?? controller.t("dashboards.nothing"));
  const lines = data.map(
    ({ label, url, text, icon }) =>
      html`<li>${icon === undefined ? "" : iconOrNothing(icon)}<div><a class="fw-row-link" href="${safeUrl(url)}">${label}</a>${text === undefined ? "" : html`<p>${text}</p>`}</div></li>`,
  );
  return html`<ul class="fw-rows fw-card-links">${lines}</ul>`;
}

/** What waits for the person. */
export function waiting({ controller }: CardRequest, items: readonly WaitingItem[]): SafeHtml {
  if (items.length === 0) return emptyCard(controller.t("dashboards.nothing_waiting"));
  const { timeZone, locale } = controller.request;
  const lines = items.map(({ title, text, url, at }) => {
    const dot = text !== undefined && at ? " · " : "";
    return html`<li><div><a class="fw-row-link" href="${safeUrl(url)}">${title}</a><p>${text ?? ""}${dot}${at ? timeTag(at, timeZone, localeOf(locale)) : ""}</p></div></li>`;
  });
  return html`<ul class="fw-rows">${lines}</ul>`;
}
