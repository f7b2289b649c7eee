import { type BaseController, forbidden, notFound, unauthorized } from "framewright/host";
import { accountId, rowOwner, tenantKey } from "framewright/plugins/portals";
import type { WebhookOwner, WebhookPlace } from "../contract.ts";
import { storedPlace } from "../delivering/stored_place.ts";

/** Below the mount of a portal. */
export const PATH = "/_webhooks";

export type May = (controller: BaseController) => boolean;

/** Whether the person of a request may have webhooks here; nobody who acts for another person. */
export function mayManage(controller: BaseController, may: May): boolean {
  const { currentUser, currentScopedEntity, request } = controller;
  if (accountId(currentUser) === undefined || request.actorFor(currentUser)) return false;
  if (request.engine?.tenantRule !== undefined && tenantKey(currentScopedEntity) === null) return false;
  return may(controller) === true; // a promise is no permission
}

/** Where the webhooks of a request belong. @throws HttpError 401 for guests, 404 outside of a tenant, 403 for those who may not */
export function placeFor(controller: BaseController, may: May): WebhookPlace {
  const { currentUser, currentScopedEntity, request } = controller;
  if (accountId(currentUser) === undefined) throw unauthorized();
  const tenant = tenantKey(currentScopedEntity);
  if (!request.engine || (request.engine.tenantRule !== undefined && tenant === null)) throw notFound();
  if (!mayManage(controller, may)) throw forbidden();
  return { portal: request.engine.name, tenant };
}

/** The person of a request, as a webhook names them. */
export function ownerFor(controller: BaseController): WebhookOwner {
  const { owner_type, owner_id } = rowOwner(controller, "webhooks");
  const label = (controller.currentUser as { toLabel?(): string } | undefined)?.toLabel?.() ?? "";
  const owner_label = label.trim().slice(0, 255) || owner_id;
  return { owner_type, owner_id, owner_label, place: storedPlace(controller) };
}

/** The number in an address; undefined for anything else. */
export const numberIn = (given: unknown): number | undefined =>
  typeof given === "string" && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined;

/** The address of the list, of a webhook, or of something below it. */
export const urlOf = ({ request }: BaseController, ...parts: readonly (string | number)[]): string =>
  [request.mountPath + PATH, ...parts].join("/");
