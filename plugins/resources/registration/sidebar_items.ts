import type { BaseController } from "framewright/host";
import type { NavigationItem } from "framewright/plugins/portals";
import { conventionalIcon } from "framewright/plugins/views";
import { allows } from "../definition/policy.ts";
import type { Resources } from "../service_contract.ts";
import { groupText, labelsFor } from "./resource_texts.ts";

/** A line for each resource of the portal whose list the person may see. */
export function addNavigation(resources: Resources, items: NavigationItem[], controller: BaseController): void {
  const { request } = controller;
  for (const registration of resources.registry.of(request.engine?.name).values()) {
    const policy = resources.policy(controller, registration.policyClass, undefined);
    if (!allows(policy, registration.singular ? "show" : "index")) continue;
    const { definition, singular } = registration;
    const labels = labelsFor(controller, registration);
    const item: NavigationItem = {
      label: singular ? labels.one : labels.many,
      url: `${request.mountPath}/${registration.path}`,
      icon: definition.icon ?? registration.once("icon", () => conventionalIcon(registration.model.constant)),
    };
    if (definition.group !== undefined) item.group = groupText(controller, registration, definition.group);
    items.push(item);
  }
}
