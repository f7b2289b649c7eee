import { type BaseController, csrfInput, type Reply } from "framewright/host";
import type { Webhook, WebhookValues } from "../contract.ts";
import type { EventGroup } from "../events/offered.ts";
import { urlOf } from "./access.ts";
import { isOwn } from "./answers.ts";
import type { Problems } from "./sent_webhook.ts";

interface FormPage {
  readonly groups: readonly EventGroup[];
  readonly values: WebhookValues;
  readonly problems: Problems;
  readonly webhook?: Webhook | undefined;
}

/** The form of a new webhook, or of one that is changed. */
export function renderForm(controller: BaseController, { groups, values, problems, webhook }: FormPage): Reply {
  const list = urlOf(controller);
  const url = webhook ? urlOf(controller, webhook.id) : list;
  const title = controller.t(webhook ? "webhooks.edit_title" : "webhooks.new_title");
  const chosen = new Set(values.events);
  const shown = groups.map(({ label, events }) => ({
    label,
    events: events.map((one) => ({ ...one, is_chosen: chosen.has(one.name) })),
  }));
  return controller.render("webhooks/form", {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    locals: {
      title,
      breadcrumbs: [{ label: controller.t("webhooks.title"), url: list }, { label: title }],
      form: { url, csrf: csrfInput(controller.request, url, webhook ? "patch" : "post"), method: webhook && "patch" },
      cancel: url,
      values,
      problems,
      groups: shown,
      takes_over: webhook && !isOwn(webhook, controller) ? webhook.owner_label : undefined,
    },
  });
}

/** The page with a new secret, which is shown this once. 201, since Turbo shows no answer 200 to a form. */
export function renderSecret(controller: BaseController, webhook: Webhook, secret: string): Reply {
  const title = controller.t("webhooks.secret_title");
  const list = urlOf(controller);
  const page = urlOf(controller, webhook.id);
  const trail = [
    { label: controller.t("webhooks.title"), url: list },
    { label: webhook.url, url: page },
  ];
  const locals = { title, breadcrumbs: [...trail, { label: title }], secret, page };
  return unstored(controller.render("webhooks/secret", { status: 201, locals }));
}

/** No cache stores the secret. */
export function unstored(reply: Reply): Reply {
  reply.headers["cache-control"] = "no-store";
  return reply;
}
