import type { BaseController } from "framewright/host";
import { definePortalPart, type PortalPart } from "framewright/plugins/portals";
import { errors } from "../errors.ts";
import { jobPagesAt } from "./controller.ts";

/** Options of `jobPages()`. */
export interface JobPagesOptions {
  /** The path below the portal's; "jobs" by default. */
  at?: string;
  /** Whether the account of a request may see and change all jobs; read at each request. Guests are refused before. */
  allow: (controller: BaseController) => boolean;
}

/**
 * Pages of a portal with all jobs, schedules and long work, and a line in its sidebar. They are those of the whole application,
 * whatever the tenant: a portal that serves a tenant does not boot with them.
 * @throws FW_JOB_PAGES_ALLOW; at boot FW_JOB_PAGES_TENANT
 * @example portal.use(jobPages({ allow: ({ currentUser }) => (currentUser as Admin | undefined)?.role === "super_admin" }));
 */
export function jobPages({ at = "jobs", allow }: JobPagesOptions): PortalPart {
  if (typeof allow !== "function") throw errors.FW_JOB_PAGES_ALLOW();
  const pages = jobPagesAt(at, allow);
  return definePortalPart({
    name: "jobs",
    routes(routes, portal) {
      if (portal.engine.tenantModel !== undefined) throw errors.FW_JOB_PAGES_TENANT(portal.name);
      const controller = portal.controller(pages);
      routes.get(at, { controller, action: "index", as: "jobs" });
      routes.post(`${at}/retry_failed`, { controller, action: "retryFailed" });
      routes.post(`${at}/:id/retry`, { controller, action: "retry" });
      routes.post(`${at}/:id/discard`, { controller, action: "discard" });
      routes.post(`${at}/runs/:id/cancel`, { controller, action: "cancelRun" });
    },
    navigation(items, controller) {
      if (controller.currentUser === undefined || !allow(controller)) return;
      items.push({ label: controller.t("jobs.title"), url: `${controller.request.mountPath}/${at}`, icon: "clock" });
    },
  });
}
