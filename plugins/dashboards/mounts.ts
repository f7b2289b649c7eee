import type { Application, BaseController, ControllerClass, RouteSet } from "framewright/host";
import { describe, suggest } from "framewright/kernel";
import { portalController } from "framewright/plugins/portals";
import type { DashboardClass, DashboardMount } from "./contract.ts";
import { Dashboard, keyOf } from "./dashboard.ts";
import { errors } from "./errors.ts";

/** Options of `registerDashboard`. */
export interface DashboardMountOptions {
  /** The path below the portal: "/" takes the place of its root. */
  at: string;
  /** The prefix of its path helpers; by default its class's name, as `sales_dashboard`. A dashboard at "/" is `root`. */
  as?: string;
}

declare module "framewright/host" {
  interface RouteMacros {
    /** A dashboard as a page of the portal; at "/" it takes the place of `root`. */
    registerDashboard(dashboard: DashboardClass, options: DashboardMountOptions): void;
  }
}

/** The actions of the two routes of a dashboard. */
export interface DashboardActions {
  page(mount: DashboardMount): (controller: BaseController) => unknown;
  card(mount: DashboardMount): (controller: BaseController) => unknown;
}

/** The dashboards of an application, and how their routes are drawn. */
export class DashboardMounts {
  readonly all: DashboardMount[] = [];
  readonly #host: Application;
  readonly #actions: DashboardActions;

  constructor(host: Application, actions: DashboardActions) {
    this.#host = host;
    this.#actions = actions;
  }

  get kernel(): Application["kernel"] {
    return this.#host.kernel;
  }
  of(portal: string): readonly DashboardMount[] {
    return this.all.filter((mount) => mount.portal === portal);
  }

  /** @throws FW_DASHBOARD_CLASS, FW_DASHBOARD_PORTAL, FW_DASHBOARD_OPTION, FW_DASHBOARD_AT, FW_DASHBOARD_PLACE, FW_DASHBOARD_CONTROLLER */
  register(set: RouteSet, dashboard: DashboardClass, options: DashboardMountOptions): void {
    checkClass(dashboard);
    if (set.owner === undefined) throw errors.FW_DASHBOARD_PORTAL(dashboard.name);
    checkMountOptions(dashboard.name, options);
    const name = this.#host.constants.of(dashboard)?.name ?? dashboard.name;
    const at = options.at.replace(/^\//, "");
    const helper = options.as ?? `${keyOf(name)}_dashboard`;
    const routes = { page: at === "" ? "root" : helper, card: `${helper}_card` };
    const mount = { dashboard, name, portal: set.owner, key: keyOf(name), at, routes };
    try {
      this.#draw(set, mount);
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code !== "FW_ROUTE_TAKEN" && code !== "FW_ROUTE_NAME_TAKEN") throw error;
      throw errors.FW_DASHBOARD_PLACE(dashboard.name, options.at, message.replace(/^FW_\w+: /, "").replace(/\.$/, ""));
    }
    this.all.push(mount);
  }

  #draw(set: RouteSet, mount: DashboardMount): void {
    const controller = this.#controllerOf(mount);
    const { page, card } = this.#actions;
    const policy =
      mount.dashboard.prototype.authorize === Dashboard.prototype.authorize ? "(everybody)" : `${mount.name}#authorize`;
    set.draw("GET", `/${mount.at}`, { controller, action: page(mount), policy, as: mount.routes.page });
    const path = `/dashboards/${mount.key}/cards/:card`;
    set.draw("GET", path, { controller, action: card(mount), policy: "(by card)", as: mount.routes.card });
  }

  /** The portal's own DashboardsController, else a class on the portal's base with its authentication, tenant and layout. */
  #controllerOf({ portal, dashboard }: DashboardMount): ControllerClass {
    const { path } = this.#host.engines.get(portal)!;
    const own = this.#host.constants.byPath(`${path}/dashboards_controller`) as ControllerClass | undefined;
    const controller = own ?? portalController(this.#host, portal, "dashboards");
    if (!controller) throw errors.FW_DASHBOARD_CONTROLLER(dashboard.name, portal, path);
    return controller;
  }
}

function checkClass(given: unknown): void {
  const isClass = typeof given === "function" && given.prototype instanceof Dashboard;
  if (!isClass)
    throw errors.FW_DASHBOARD_CLASS(typeof given === "function" ? given.name || "a class" : describe(given));
}

const optionNames = ["at", "as"];

function checkMountOptions(name: string, options: DashboardMountOptions): void {
  const { at, as } = (options ?? {}) as { at?: unknown; as?: unknown };
  for (const option of Object.keys(options ?? {}))
    if (!optionNames.includes(option)) throw errors.FW_DASHBOARD_OPTION(name, option, suggest(option, optionNames));
  const isPath = typeof at === "string" && /^\/?(?:[\w~-]+(?:\/[\w~-]+)*)?$/.test(at);
  if (!isPath) throw errors.FW_DASHBOARD_AT(name, "at", describe(at));
  if (as !== undefined && !(typeof as === "string" && /^[a-z][a-z0-9_]*$/.test(as)))
    throw errors.FW_DASHBOARD_AT(name, "as", describe(as));
}
