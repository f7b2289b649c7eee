import type { BaseController } from "framewright/host";
import type { Service } from "framewright/kernel";
import {
  allows,
  labelsFor,
  type Registration,
  type ResourceRequest,
  type Resources,
} from "framewright/plugins/resources";
import { actionLabel } from "framewright/plugins/resources/toolkit";
import { statesOf } from "framewright/plugins/states";
import { actionEvent, eventName, isSent, wizardEvent } from "./names.ts";

/** An event that a person may choose. */
export interface OfferedEvent {
  readonly name: string;
  readonly label: string;
}
/** Those of a resource, or of the wizards. */
export interface EventGroup {
  readonly label: string;
  readonly events: readonly OfferedEvent[];
}

/** The events of a portal, as far as the person of a request may read what they are about. */
export function offeredEvents(controller: BaseController, wizards: Service<"wizards"> | undefined): EventGroup[] {
  const resources = controller.request.kernel.service("resources");
  const portal = controller.request.engine?.name;
  const groups = [...resources.registry.of(portal).values()]
    .filter((one) => isOffered(controller, resources, one))
    .map((one) => groupOf(controller, resources, one));
  const names = [...new Set((wizards?.mounts.all ?? []).flatMap((one) => (one.owner === portal ? [one.name] : [])))];
  const finished = names.map((name) => ({ name: wizardEvent(name), label: wizardLabel(controller, name) }));
  return finished.length > 0 ? [...groups, { label: controller.t("webhooks.wizards"), events: finished }] : groups;
}

const wizardLabel = (controller: BaseController, name: string) => controller.t("webhooks.kinds.wizard", { name });

/** Whether the person may read records of a resource; what a policy throws without one denies. */
export function isOffered(controller: BaseController, resources: Resources, registration: Registration): boolean {
  const { model, policyClass, singular } = registration;
  if (singular || model.key.isMissing || !isSent(model)) return false;
  const policy = resources.policy(controller, policyClass, undefined);
  return ["index", "show"].some((action) => {
    try {
      return allows(policy, action);
    } catch {
      return false;
    }
  });
}

function groupOf(controller: BaseController, resources: Resources, registration: Registration): EventGroup {
  const { model, definition } = registration;
  const kinds = ["created", "updated", "deleted", ...(statesOf(model.class) ? ["moved"] : [])] as const;
  const own = requestOf(controller, resources, registration);
  const actions = [...definition.actions.values()].filter(({ interaction }) => interaction !== undefined);
  return {
    label: labelsFor(controller, registration).many,
    events: [
      ...kinds.map((kind) => ({
        name: eventName(model.constant, kind as "created"),
        label: controller.t(`webhooks.kinds.${kind}`),
      })),
      ...actions.map((action) => ({
        name: actionEvent(model.constant, action.key),
        label: controller.t("webhooks.kinds.action", { name: actionLabel(own, action) }),
      })),
    ],
  };
}

/** What serves a resource on the page of another controller: the same person and tenant. */
export function requestOf(page: BaseController, resources: Resources, registration: Registration): ResourceRequest {
  const controller = new resources.standardController(page.request);
  Object.defineProperty(controller, "about", { value: { registration } });
  const { currentUser, currentScopedEntity } = page;
  return Object.assign(controller, { currentUser, currentScopedEntity });
}
