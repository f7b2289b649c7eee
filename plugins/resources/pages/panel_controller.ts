import { BaseController } from "framewright/host";
import type { AssociationInfo, BaseModel } from "framewright/plugins/database";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/**
 * What lists require of their controller, for a list of related records on the page of the record: the person, the tenant and the
 * parent, with the texts and addresses that the page has of its own.
 */
export function panelController(
  page: ResourceRequest,
  registration: Registration,
  { association, record }: { association: AssociationInfo; record: BaseModel },
): ResourceRequest {
  const { currentUser, currentScopedEntity } = page;
  const panel = new page.resources.standardController(page.request);
  const about = { registration, parent: { registration: page.registration, association } };
  Object.defineProperty(panel, "about", { value: about });
  Object.assign(panel, { parent: record, currentUser, currentScopedEntity });
  if (page.t !== BaseController.prototype.t) panel.t = (key, vars) => page.t(key, vars);
  if (!page.overrides.methods.has("resourceUrlFor")) return panel;
  Object.defineProperty(panel, "overrides", { value: page.overrides });
  panel.resourceUrlFor = (subject, options) => page.resourceUrlFor(subject, options);
  return panel;
}
