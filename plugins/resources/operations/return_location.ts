import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { allows } from "../definition/policy.ts";
import { servedBy } from "../registration/served_by.ts";
import type { ResourceRequest } from "../request.ts";

/** Whether the person can see a record; where nothing narrows the resource, the database is not queried. */
export async function isVisible(controller: ResourceRequest, record: BaseModel): Promise<boolean> {
  const { registration, resources, about } = controller;
  const { model } = registration;
  if (!about.parent && !registration.singular && resources.isUnscoped(controller, model)) return true;
  const query = model.key.where(controller.visibleRecords(), ModelInfo.keyOf(record)!);
  return (await resources.database.readFirst(query)) !== undefined;
}

/** A page that the person can open when a record is not theirs to see: the list, else the start of the portal. */
export function fallbackLocation(controller: ResourceRequest): string {
  const { registration, request } = controller;
  const hasList = !registration.singular && controller.about.parent?.association.kind !== "hasOne";
  return hasList && allows(controller.policyFor(), "index") ? controller.listUrl : `${request.mountPath}/`;
}

/** `return_to`, unless it leads to a record that no longer exists, or below it. */
export function returnLocationWithout(controller: ResourceRequest, record: BaseModel): string | undefined {
  const back = controller.returnTo();
  if (back === undefined) return undefined;
  const path = back.replace(/[?#].*$/, "").replace(/\.json$/, "");
  const gone = [controller.urlFor(record), controller.resourceUrlFor(record, servedBy(controller.about, record))];
  return gone.some((url) => path === url || path.startsWith(`${url}/`)) ? undefined : back;
}
