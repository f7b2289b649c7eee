import { type BaseController, HttpError, type Reply } from "framewright/host";
import { accountId } from "framewright/plugins/portals";
import type { Delivery, Try, Webhook } from "../contract.ts";
import { urlOf } from "./access.ts";
import type { Problems } from "./sent_webhook.ts";

/** Whether a webhook sends what the person of a request may read, and nobody else. */
export const isOwn = ({ owner_id }: Webhook, { currentUser }: BaseController): boolean =>
  accountId(currentUser) === owner_id;

/** A webhook, for programs: never its secret. */
export function webhookJson(controller: BaseController, webhook: Webhook) {
  const { id, url, description, events, state, reason, failing_since, withheld_at, withheld_reason } = webhook;
  const isOverlapping = webhook.previous_until !== null && webhook.previous_until > new Date();
  return {
    ...{ id, url, description, events, state, disabled: reason, failing_since },
    withheld: withheld_at && { at: withheld_at, reason: withheld_reason },
    earlier_secret_until: isOverlapping ? webhook.previous_until : null,
    person: webhook.owner_label,
    own: isOwn(webhook, controller),
    created_at: webhook.created_at,
  };
}

/** What was sent, for programs. */
export const deliveryJson = (delivery: Delivery) => {
  const { id, message, event, model, record, state, reason, attempts, created_at, finished_at } = delivery;
  const next_at = state === "waiting" ? delivery.next_at : null;
  return { id, message, event, model, record, state, reason, attempts, next_at, created_at, finished_at };
};

/** An attempt, for programs; what was answered is for whom the message was composed alone: it may repeat what that person may read. */
export const tryJson = ({ at, status, failure, milliseconds, answer }: Try, showsAnswer: boolean) => ({
  ...{ at, status, failure, milliseconds },
  ...(showsAnswer ? { answer } : {}),
});

/** 422, for programs. */
export function invalid(controller: BaseController, problems: Problems): HttpError {
  const fields = Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, [text]]));
  return new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields });
}
/** 409: it can't be done as the webhook is now. */
export const conflicting = (controller: BaseController, key: string, vars?: Record<string, unknown>): HttpError =>
  new HttpError(409, "FW_WEBHOOK_STATE", controller.t(`webhooks.conflicts.${key}`, vars));

/** Back to the page of a webhook, or to the list, with a message: a text below `webhooks.done`. */
export function backTo(controller: BaseController, message: string, ...parts: readonly (string | number)[]): Reply {
  controller.flash.add("success", controller.t(`webhooks.done.${message}`));
  return controller.redirectTo(urlOf(controller, ...parts));
}
