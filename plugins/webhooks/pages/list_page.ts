import type { BaseController, Reply } from "framewright/host";
import type { Webhook } from "../contract.ts";
import { urlOf } from "./access.ts";

/** The list of webhooks. */
export function renderList(controller: BaseController, webhooks: readonly Webhook[], limit: number): Reply {
  const title = controller.t("webhooks.title");
  return controller.render("webhooks/index", {
    locals: {
      title,
      breadcrumbs: [{ label: title }],
      new_url: webhooks.length < limit ? urlOf(controller, "new") : undefined,
      limit,
      webhooks: webhooks.map((one) => ({
        ...stateView(controller, one),
        url: one.url,
        description: one.description,
        events: controller.t("webhooks.event_count", { count: one.events.length }),
        person: one.owner_label,
        page: urlOf(controller, one.id),
      })),
    },
  });
}

/** How a webhook is: in a word, with its tone. */
export function stateView(controller: BaseController, webhook: Webhook): { tone: string; state: string } {
  const { state, withheld_reason, failing_since } = webhook;
  const of = (tone: string, key: string) => ({ tone, state: controller.t(`webhooks.states.${key}`) });
  if (state === "disabled") return of("danger", "disabled");
  if (withheld_reason) return of("warning", "withheld");
  return failing_since ? of("warning", "failing") : of("success", "enabled");
}
