import { type BaseController, notFound } from "framewright/host";
import type { TargetRules } from "framewright/host/outbound";
import type { Service } from "framewright/kernel";
import type { Jobs } from "framewright/plugins/jobs";
import type { Delivery, Webhook, WebhookOwner, WebhookPlace } from "../contract.ts";
import type { DeliveryStore } from "../store/delivery_store.ts";
import type { WebhookStore } from "../store/webhook_store.ts";
import { type May, numberIn, ownerFor, placeFor } from "./access.ts";
import { conflicting, isOwn } from "./answers.ts";

/** What the pages work with. */
export interface PageParts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly jobs: Jobs;
  readonly wizards: () => Service<"wizards"> | undefined;
  readonly may: May;
  /** Whether jobs can act for somebody: not for a program whose key is all that is known of it. */
  readonly canEnter: (place: WebhookPlace, owner: WebhookOwner) => Promise<boolean>;
  readonly limit: number;
  readonly rules: TargetRules;
}
/** A webhook of the portal and the tenant of a request. */
export interface Found {
  readonly place: WebhookPlace;
  readonly webhook: Webhook;
}

/** The webhook that the address names. @throws HttpError 401, 403, 404 also for another tenant's */
export async function foundIn({ webhooks, may }: PageParts, controller: BaseController): Promise<Found> {
  const place = placeFor(controller, may);
  const id = numberIn(controller.request.routeParams.webhook_id);
  const webhook = id === undefined ? undefined : await webhooks.find(place, id);
  if (!webhook) throw notFound();
  return { place, webhook };
}

/** The person of a request, as whom a webhook of somebody sends from now on. @throws HttpError 409 for whom no job can act */
export async function nextOwner(parts: PageParts, controller: BaseController, { place, webhook }: Found) {
  const owner = await newOwner(parts, controller, place);
  if (!isOwn(webhook, controller)) await parts.deliveries.forgetAnswers(webhook.id);
  return owner;
}

/** The person of a request, as whom a webhook is to send from now on. @throws HttpError 409 for whom no job can act */
export async function newOwner({ canEnter }: PageParts, controller: BaseController, place: WebhookPlace) {
  const owner = ownerFor(controller);
  if (!(await canEnter(place, owner))) throw conflicting(controller, "person");
  return owner;
}

/** What the address names of what a webhook sent. @throws HttpError 404 */
export async function deliveryIn(parts: PageParts, controller: BaseController, { id }: Webhook): Promise<Delivery> {
  const key = numberIn(controller.request.routeParams.delivery_id);
  const delivery = key === undefined ? undefined : await parts.deliveries.find(id, key);
  if (!delivery) throw notFound();
  return delivery;
}
