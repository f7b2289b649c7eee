import { underscore } from "framewright/host";
import { describe } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import { errors } from "../errors.ts";

/** What the button "Send a test event" sends. */
export const TEST_EVENT = "webhook.test";

/** What may become of a record. */
export const recordKinds = ["created", "updated", "deleted", "moved"] as const;
export type RecordKind = (typeof recordKinds)[number];

const dotted = (constant: string): string => underscore(constant).replaceAll("/", ".");

/** As `blogging.post.created`; `moved` is for a state that another one follows. */
export const eventName = (model: string, kind: RecordKind): string => `${dotted(model)}.${kind}`;
/** As `blogging.post.action.publish`. */
export const actionEvent = (model: string, action: string): string => `${dotted(model)}.action.${action}`;
/** As `wizard.onboard_wizard.completed`. */
export const wizardEvent = (wizard: string): string => `wizard.${dotted(wizard)}.completed`;

/** A model and those that it extends: whoever hears of these hears of it. */
export function withParents(model: ModelInfo): ModelInfo[] {
  const found: ModelInfo[] = [];
  for (let next: ModelInfo | undefined = model; next; next = next.parent) found.push(next);
  return found;
}

/** Whether events of a model are sent: unless it has `static webhooks = false`. @throws FW_WEBHOOKS_STATIC */
export function isSent({ class: cls, constant }: ModelInfo): boolean {
  const { webhooks } = cls as { webhooks?: unknown };
  if (webhooks !== undefined && typeof webhooks !== "boolean")
    throw errors.FW_WEBHOOKS_STATIC(constant, describe(webhooks));
  return webhooks !== false;
}
