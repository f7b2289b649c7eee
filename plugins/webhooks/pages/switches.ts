import type { BaseController, Reply } from "framewright/host";
import type { Webhook } from "../contract.ts";
import { newSecret } from "../signature.ts";
import { backTo, webhookJson } from "./answers.ts";
import { renderSecret, unstored } from "./form_page.ts";
import { foundIn, nextOwner, type PageParts } from "./parts.ts";

/** `POST /_webhooks/:id/rotate`: a new secret, which the answer alone has; the earlier one is valid for a day. */
export async function rotateSecret(parts: PageParts, controller: BaseController): Promise<Reply> {
  const { place, webhook } = await foundIn(parts, controller);
  const secret = newSecret();
  await parts.webhooks.rotate(webhook, secret);
  const now = (await parts.webhooks.find(place, webhook.id)) ?? webhook;
  if (controller.request.format !== "json") return renderSecret(controller, now, secret);
  return unstored(controller.json({ data: { ...webhookJson(controller, now), secret } }, { status: 201 }));
}

/** `POST /_webhooks/:id/enable`: from then on it sends what the person of the request may read. */
export async function enableWebhook(parts: PageParts, controller: BaseController): Promise<Reply> {
  const found = await foundIn(parts, controller);
  const { place, webhook } = found;
  await parts.webhooks.enable(webhook, await nextOwner(parts, controller, found));
  return answer(controller, (await parts.webhooks.find(place, webhook.id)) ?? webhook, "enabled");
}

/** `POST /_webhooks/:id/disable`: what waits is not sent. */
export async function disableWebhook(parts: PageParts, controller: BaseController): Promise<Reply> {
  const { webhooks, deliveries } = parts;
  const { place, webhook } = await foundIn(parts, controller);
  await webhooks.database.transaction(async (transaction) => {
    await webhooks.disable(webhook.id, "person", transaction);
    await deliveries.stop(webhook.id, transaction);
  });
  return answer(controller, (await webhooks.find(place, webhook.id)) ?? webhook, "disabled");
}

function answer(controller: BaseController, webhook: Webhook, message: string): Reply {
  if (controller.request.format === "json") return controller.json({ data: webhookJson(controller, webhook) });
  return backTo(controller, message, webhook.id);
}
