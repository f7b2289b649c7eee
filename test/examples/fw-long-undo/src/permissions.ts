import { accountId } from "framewright/plugins/portals";
import { allows, type ResourceRequest } from "framewright/plugins/resources";

/** Whether a person who deletes here may restore it: one who is signed in, looks at a page, and may create records. */
export function mayRestore(controller: ResourceRequest): boolean {
  const { request, registration, about, currentUser, overrides } = controller;
  if (request.format === "json" || request.isBackground || accountId(currentUser) === undefined) return false;
  if (registration.singular || about.parent || overrides.destroys) return false;
  return allows(controller.policyFor(), "create");
}

export const deletedUrl = (controller: ResourceRequest): string => `${controller.listUrl}/deleted`;
export const restoreUrl = (controller: ResourceRequest, batch: string): string =>
  `${deletedUrl(controller)}/${batch}/restore`;
