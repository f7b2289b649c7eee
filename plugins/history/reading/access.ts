import type { BaseController } from "framewright/host";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import { accountId, tenantKey } from "framewright/plugins/portals";
import { allows, type Registration, type ResourceRequest, type Resources } from "framewright/plugins/resources";
import { shownNames } from "framewright/plugins/resources/toolkit";
import { historyOf } from "../options.ts";

const resourcesOf = ({ request }: BaseController): Resources => request.kernel.service("resources");

/**
 * Whether the person of a request may see the changes of a record, or of a model's as a whole: `canShowHistory()` of its policy,
 * which is `canUpdate()` where the policy does not define it, for those who may see the record. Never a guest.
 */
export function mayReadHistory(
  controller: BaseController,
  { policyClass, model }: Registration,
  record?: BaseModel,
  action = "show_history",
): boolean {
  if (accountId(controller.currentUser) === undefined || historyOf(model) === false) return false;
  const policy = resourcesOf(controller).policy(controller, policyClass, record);
  const isDefined = action !== "show_history" || "canShowHistory" in policy;
  return allows(policy, "show") && allows(policy, isDefined ? action : "update");
}

/** As `mayReadHistory`, where a policy may not be written for there being no record, or for parts of one: what throws denies. */
export function mayReadWithout(
  controller: BaseController,
  registration: Registration,
  record?: BaseModel,
  action?: string,
) {
  try {
    return mayReadHistory(controller, registration, record, action);
  } catch {
    return false;
  }
}

/** What the person may read of a record now, and its page shows. */
export const readableNames = (controller: ResourceRequest, record: BaseModel): readonly string[] =>
  shownNames(controller, controller.listOf("Show", record), "displays", { record: () => record });

/** The tenant whose entries a request may see; undefined in a portal without tenants, null where it is not known: none. */
export function tenantOf({ request, currentScopedEntity }: BaseController): string | null | undefined {
  return request.engine?.tenantRule === undefined ? undefined : tenantKey(currentScopedEntity);
}

/** What serves the resource of an entry on the page of another controller: the same person and tenant. */
export function controllerFor(page: BaseController, registration: Registration): ResourceRequest {
  const made = new (resourcesOf(page).standardController)(page.request);
  Object.defineProperty(made, "about", { value: { registration } });
  const { currentUser, currentScopedEntity } = page;
  return Object.assign(made, { currentUser, currentScopedEntity });
}

/** Whether the person may see the changes of any resource of the portal. */
export function mayReadAny(page: BaseController): boolean {
  if (tenantOf(page) === null || accountId(page.currentUser) === undefined) return false;
  const { registry } = resourcesOf(page);
  return [...registry.of(page.request.engine?.name).values()].some((one) => mayReadWithout(page, one));
}

/** By the names of models: the resources of the portal whose changes the person may see. */
export function readableModels(page: BaseController): Map<string, Registration> {
  const resources = resourcesOf(page);
  const found = new Map<string, Registration>();
  if (tenantOf(page) === null || accountId(page.currentUser) === undefined) return found;
  const known = new Map<Registration, boolean>();
  for (const model of resources.database.models()) {
    const registration = resources.registry.nearest(page.request.engine?.name, model);
    if (!registration || model.key.isMissing || historyOf(model) === false) continue;
    if (!known.has(registration)) known.set(registration, mayReadWithout(page, registration));
    if (known.get(registration)) found.set(model.constant, registration);
  }
  return found;
}

/**
 * Whether entries of deleted records of a model may be shown, of the request's tenant: its policy has no `relationScope`, which
 * can't be evaluated for a deleted record, and no other plugin than `scoping` narrows queries; or `canShowDeletedHistory()` permits it.
 */
export function areDeletedOpen(controller: ResourceRequest, model: ModelInfo, ghost: BaseModel): boolean {
  const { resources, registration } = controller;
  const isNarrowed =
    resources.isScoped(controller, model) || resources.hooks.scope.taps.some(({ name }) => name !== "scoping");
  const action = isNarrowed ? "show_deleted_history" : "show_history";
  return mayReadWithout(controller, registration, ghost, action);
}
