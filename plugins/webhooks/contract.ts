import type { StoredPlace } from "./delivering/stored_place.ts";

/** Why a webhook sends nothing: somebody disabled it, its receiver answered 410, or failed for days. */
export type DisabledReason = "person" | "gone" | "failing";
/** Why an event was not sent: its owner may have no webhook any more, may not read the record, nor anything that changed, or the record is deleted. */
export type WithheldReason = "person" | "record" | "hidden" | "deleted";
/** `dead`: out of attempts, or its webhook was disabled; it can be sent again. */
export type DeliveryState = "waiting" | "delivered" | "withheld" | "dead";

/** What a webhook sends, and where to. */
export interface WebhookValues {
  readonly url: string;
  readonly description: string | null;
  /** The names of events: `post.created`. */
  readonly events: readonly string[];
}
/** As whom it reads what it sends. */
export interface WebhookOwner {
  readonly owner_type: string;
  readonly owner_id: string;
  readonly owner_label: string;
  /** Where the person set it up, to be entered again. */
  readonly place: StoredPlace;
}
/** Where a webhook belongs. */
export interface WebhookPlace {
  readonly portal: string;
  /** As `organizations/1`; null for a portal without tenants. */
  readonly tenant: string | null;
}
/** A webhook as it is stored, without its secrets. */
export interface Webhook extends WebhookValues, WebhookOwner, WebhookPlace {
  readonly id: number;
  readonly state: "enabled" | "disabled";
  readonly reason: DisabledReason | null;
  /** Since when each attempt failed. */
  readonly failing_since: Date | null;
  readonly withheld_at: Date | null;
  readonly withheld_reason: WithheldReason | null;
  /** Until when messages have a signature of the earlier secret as well. */
  readonly previous_until: Date | null;
  readonly created_at: Date;
}

/** What is known of an event besides its record: nothing that somebody may not read. */
export interface EventDetails {
  /** When it happened, as ISO 8601. */
  readonly at: string;
  /** The columns that changed. */
  readonly changed?: readonly string[];
  /** The column of a state, and the states. */
  readonly column?: string;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly action?: string;
  readonly wizard?: string;
  readonly run?: number;
}
/** An event for one webhook. */
export interface NewDelivery {
  readonly webhook_id: number;
  readonly tenant: string | null;
  readonly event: string;
  readonly model: string | null;
  readonly record: string | null;
  readonly details: EventDetails;
  /** What is sent in order: the changes of one record to one webhook. */
  readonly lane: string;
}
/** The same as it is stored. */
export interface Delivery extends NewDelivery {
  readonly id: number;
  /** The id that receivers get: `msg_…`. */
  readonly message: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly next_at: Date;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}
/** One attempt. */
export interface Try {
  readonly id: number;
  readonly delivery_id: number;
  readonly webhook_id: number;
  readonly tenant: string | null;
  readonly at: Date;
  readonly status: number | null;
  readonly failure: string | null;
  readonly milliseconds: number;
  readonly answer: string | null;
}

declare module "framewright/kernel" {
  interface Slots {
    webhooks: {};
  }
}
