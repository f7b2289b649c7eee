import type { BackLink } from "framewright/host";
import { allows } from "../definition/policy.ts";
import { isSingle } from "../registration/registration.ts";
import { labelsFor, listLabel } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

/** Where an error page leads: to the list that the person may see, of the parent's resource where the parent was not found. */
export function backLinkOf(controller: ResourceRequest): BackLink | undefined {
  const { about, actionName } = controller;
  const above = about.parent?.registration;
  if (above && !controller.parent) {
    const policy = controller.resources.policy(controller, above.policyClass, undefined);
    if (above.singular || !allows(policy, "index")) return undefined;
    return link(controller, controller.urlFor(above.model.class), labelsFor(controller, above).many);
  }
  if (isSingle(about) || actionName === "index" || !allows(controller.policyFor(), "index")) return undefined;
  return link(controller, controller.listUrl, listLabel(controller, about));
}

const link = (controller: ResourceRequest, url: string, name: string): BackLink => ({
  url,
  label: controller.t("errors.back_to", { name }),
});
