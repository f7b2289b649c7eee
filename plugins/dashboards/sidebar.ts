import type { BaseController } from "framewright/host";
import type { NavigationItem } from "framewright/plugins/portals";
import { labelOf } from "./dashboard.ts";
import type { DashboardMounts } from "./mounts.ts";
import { dashboardFor } from "./open.ts";
import { dashboardUrl } from "./urls.ts";

/** A line for the first dashboard of a portal whose root is another page; from a dashboard its tabs lead to the others. */
export function addToSidebar(mounts: DashboardMounts, items: NavigationItem[], controller: BaseController): void {
  const all = mounts.of(controller.request.engine?.name ?? "");
  const [first] = all;
  if (!first || all.some(({ at }) => at === "")) return;
  const label = labelOf(dashboardFor(first, controller));
  items.push({ label, url: dashboardUrl(controller, first), icon: "layout-dashboard" });
}
