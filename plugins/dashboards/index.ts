import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BaseController, RouteSet } from "framewright/host";
import { AsyncSeriesHook, checkOptions, definePlugin, option, type Plugin, SyncHook } from "framewright/kernel";
import { CardCacheStore } from "./cards/cache.ts";
import type { DashboardHooks, DashboardMount } from "./contract.ts";
import type { Dashboard } from "./dashboard.ts";
import { describeDashboards } from "./describe_dashboards.ts";
import { DashboardMounts } from "./mounts.ts";
import { checkDashboard } from "./open.ts";
import { type PageParts, showCard, showDashboard } from "./pages.ts";
import { addToSidebar } from "./sidebar.ts";

export type {
  Card,
  CardCache,
  CardKind,
  CardKinds,
  CardLink,
  CardOptions,
  CardWidth,
  ChartData,
  ChartOptions,
  CustomOptions,
  LinksOptions,
  ListOptions,
  MetricOptions,
  Point,
  ResourcePermission,
  TableOptions,
} from "./cards/card.ts";
export type {
  DashboardClass,
  DashboardContext,
  DashboardHooks,
  DashboardMount,
  Dashboards,
  WaitingItem,
} from "./contract.ts";
export {
  type Categories,
  countBy,
  countByColumn,
  countIn,
  type Measured,
  type Series,
  sumBy,
  sumIn,
} from "./counts/counts.ts";
export { Dashboard } from "./dashboard.ts";
export type { DashboardMountOptions } from "./mounts.ts";
export type { Period, Span, Unit } from "./period.ts";

/** Options of `dashboards()`. */
export interface DashboardsOptions {
  /** Milliseconds that a card may take which sets no limit of its own; 5,000 by default. */
  limit?: number;
}

/** The hook `cards`; a dashboard knows the plugin that is adding to it. */
function cardsHook(): DashboardHooks["cards"] {
  const hook = new SyncHook<[Dashboard, DashboardMount]>(["dashboard", "mount"]);
  let current: Dashboard | undefined;
  hook.intercept({
    call: (dashboard) => {
      current = dashboard;
    },
    tap: ({ name }) => {
      current!.addedBy = name;
    },
  });
  return hook;
}

/** The library that draws charts, as one file for browsers; its exports hide it. */
const chartLibrary = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("chart.js")), "chart.umd.min.js");

/** Dashboards: pages of a portal with figures, charts and lists, each loaded on its own. */
export function dashboards(options: DashboardsOptions = {}): Plugin {
  checkOptions("dashboards", options, { limit: option.number });
  return definePlugin({
    name: "dashboards",
    directory: import.meta.dirname,
    requires: ["host", "database", "views", "i18n", "assets", "portals", "resources"],
    provides: "dashboards",
    hooks: (): DashboardHooks => ({
      waiting: new AsyncSeriesHook(["items", "controller"]),
      cards: cardsHook(),
    }),
    portalOf: {
      waiting: (_, { request }) => request.engine?.name,
      cards: (_, { portal }) => portal,
    },
    apply({ services, hooks, settings }) {
      const { host, assets } = services;
      const mounts = new DashboardMounts(host, {
        page: (mount) => {
          const dashboardPage = (controller: BaseController) => showDashboard(parts, mount, controller);
          return dashboardPage;
        },
        card: (mount) => {
          const dashboardCard = (controller: BaseController) => showCard(parts, mount, controller);
          return dashboardCard;
        },
      });
      const { limit = 5000 } = options;
      const isDevelopment = settings.env === "development";
      const parts: PageParts = { mounts, cache: new CardCacheStore(), limit, isDevelopment };
      assets.add("chart.js", chartLibrary());
      assets.add("dashboards.js", join(import.meta.dirname, "client/dashboards.js"));
      host.routeMacros.define("dashboards", "registerDashboard", (set: RouteSet) => mounts.register.bind(mounts, set));
      hooks.portals.navigation.tap("dashboards", (items, controller) => addToSidebar(mounts, items, controller));
      if (hooks.openapi) describeDashboards(hooks.openapi.operation, mounts);
      hooks.kernel.ready.tap("dashboards", () => {
        for (const mount of mounts.all) checkDashboard(mount, host.kernel);
      });
      return { of: (portal) => mounts.of(portal) };
    },
  });
}
