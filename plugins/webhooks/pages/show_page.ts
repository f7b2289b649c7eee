import { type BaseController, csrfInput, type Reply, type SafeHtml } from "framewright/host";
import type { Delivery, Webhook } from "../contract.ts";
import { numberIn, urlOf } from "./access.ts";
import { deliveryJson, webhookJson } from "./answers.ts";
import { stateView } from "./list_page.ts";
import { foundIn, type PageParts } from "./parts.ts";

const PAGE_DELIVERIES = 50;

/** `GET /_webhooks/:id`: the webhook and what it sent, the newest first; before one by `before`. @throws HttpError 404 */
export async function showWebhook(parts: PageParts, controller: BaseController): Promise<Reply> {
  const { webhook } = await foundIn(parts, controller);
  const before = numberIn(controller.request.query.get("before"));
  const found = await parts.deliveries.list(webhook.id, PAGE_DELIVERIES + 1, before);
  const shown = found.slice(0, PAGE_DELIVERIES);
  const next = found.length > PAGE_DELIVERIES ? shown.at(-1)!.id : null;
  if (controller.request.format === "json") {
    const data = { ...webhookJson(controller, webhook), deliveries: shown.map(deliveryJson) };
    return controller.json({ data, meta: { next } });
  }
  const url = urlOf(controller, webhook.id);
  const isEnabled = webhook.state === "enabled";
  return controller.render("webhooks/show", {
    locals: {
      title: webhook.url,
      breadcrumbs: [{ label: controller.t("webhooks.title"), url: urlOf(controller) }, { label: webhook.url }],
      webhook: viewOf(controller, webhook),
      edit: `${url}/edit`,
      remove: form(controller, url, "delete"),
      rotate: form(controller, `${url}/rotate`),
      test: isEnabled ? form(controller, `${url}/test`) : undefined,
      switch: form(controller, `${url}/${isEnabled ? "disable" : "enable"}`),
      replay: isEnabled && (await parts.deliveries.hasDead(webhook.id)) ? form(controller, `${url}/replay`) : undefined,
      deliveries: shown.map((one) => deliveryView(controller, webhook, one)),
      older: next === null ? undefined : `${url}?before=${next}`,
    },
  });
}

/** A form with its token. */
export interface FormView {
  readonly url: string;
  readonly csrf: SafeHtml;
}
export const form = ({ request }: BaseController, url: string, method = "post"): FormView => ({
  url,
  csrf: csrfInput(request, url, method),
});

function viewOf(controller: BaseController, webhook: Webhook) {
  const { description, events, owner_label, created_at, failing_since, previous_until } = webhook;
  const text = (key: string) => controller.t(`webhooks.${key}`);
  return {
    ...{ description, events, created_at, failing_since, person: owner_label, is_enabled: webhook.state === "enabled" },
    ...stateView(controller, webhook),
    disabled: webhook.reason ? text(`disabled.${webhook.reason}`) : undefined,
    withheld: webhook.withheld_reason ? text(`withheld.${webhook.withheld_reason}`) : undefined,
    withheld_at: webhook.withheld_at,
    earlier_until: previous_until && previous_until > new Date() ? previous_until : undefined,
  };
}

const tones = { waiting: "info", delivered: "success", withheld: "warning", dead: "danger" } as const;

/** What was sent, as a row. */
export function deliveryView(controller: BaseController, webhook: Webhook, delivery: Delivery) {
  const { id, event, message, model, record, state, reason, attempts, created_at } = delivery;
  const url = urlOf(controller, webhook.id, "deliveries", id);
  const key = state === "waiting" && attempts > 0 ? "retrying" : state;
  return {
    ...{ event, message, attempts, created_at, url, tone: tones[state] },
    about: model === null ? undefined : `${model} ${record}`,
    state: controller.t(`webhooks.deliveries.${key}`),
    next_at: key === "retrying" ? delivery.next_at : undefined,
    reason: reasonText(controller, delivery),
    replay: webhook.state === "enabled" ? form(controller, `${url}/replay`) : undefined,
    has_reason: reason !== null,
  };
}

function reasonText(controller: BaseController, { state, reason }: Delivery): string | undefined {
  if (reason === null) return undefined;
  return controller.t(state === "withheld" ? `webhooks.withheld.${reason}` : `webhooks.failures.${reason}`);
}
