import { html, type SafeHtml } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import type { CardRequest } from "../cards/load.ts";
import { cardUrl } from "../urls.ts";

/** What a card shows that failed or took too long: what happened, and a link that loads it again. */
export function failedCard({ controller, mount, card, period }: CardRequest, why: "failed" | "late"): SafeHtml {
  const t = (key: string) => controller.t(`dashboards.${key}`);
  const again = cardUrl(controller, mount, card, period.key);
  return html`<div class="fw-card-failed" role="status">${iconOrNothing("alert-triangle")}<p>${t(why)} <a href="${again}" data-turbo-frame="_self">${t("again")}</a></p></div>`;
}

/** What a card shows that has nothing. */
export const emptyCard = (text: string): SafeHtml => html`<p class="fw-card-empty">${text}</p>`;
