import type { BaseController } from "framewright/host";
import { ResourceController, type ResourceRequest, type Resources } from "framewright/plugins/resources";
import type { BulkLimits } from "./items.ts";

/** Has a list of records created in place of one, where the application leaves the action as it is. */
export function acceptLists({ registry }: Resources, limits: BulkLimits): (controller: BaseController) => void {
  const { create } = ResourceController.prototype;
  return (controller) => {
    const { request } = controller;
    if (request.method !== "POST" || request.format !== "json" || request.isBackground) return;
    const { route } = request;
    const about = route && registry.routes.get(route);
    if (!about || about.custom || about.answer || route.action !== "create") return;
    const isSingle = about.parent ? about.parent.association.kind === "hasOne" : about.registration.singular;
    if (isSingle || !Array.isArray(request.body.get(about.registration.key))) return;
    const page = controller as ResourceRequest;
    if (page.create !== create) return; // the application's own, or an answer that another plugin sends again
    const createMany = async () => (await import("./create_many.ts")).createMany(page, limits); // loaded with the first
    Object.defineProperty(page, "create", { value: createMany, configurable: true });
  };
}
