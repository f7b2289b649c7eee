import type { BaseController } from "framewright/host";
import type { AsyncSeriesHook, InPortal, SyncHook } from "framewright/kernel";
import type { Dashboard } from "./dashboard.ts";

/** The arguments with which the framework creates a dashboard; a class passes them on. */
export interface DashboardContext {
  readonly portal: string;
  readonly kernel: BaseController["request"]["kernel"];
  /** Undefined at boot, when a dashboard is only checked. */
  readonly controller: BaseController | undefined;
  /** The card whose data is loaded for everybody; what depends on a person is refused then. */
  readonly sharedCard?: string;
}

/** A class of dashboards. */
export type DashboardClass = new (context: DashboardContext) => Dashboard;

/** A dashboard as a portal's routes register it. */
export interface DashboardMount {
  readonly dashboard: DashboardClass;
  /** `AdminPortal::MainDashboard`, for logs and cache keys. */
  readonly name: string;
  readonly portal: string;
  /** The segment that names it in the paths of its cards: `main`. */
  readonly key: string;
  /** The path below the portal, without slashes at its ends; "" is the portal's root. */
  readonly at: string;
  /** The names of its routes. */
  readonly routes: { readonly page: string; readonly card: string };
}

/** A line of what waits for a person, as a draft of a wizard. */
export interface WaitingItem {
  readonly title: string;
  /** What is to be done, as "Step: Review". */
  readonly text?: string;
  readonly url: string;
  readonly at?: Date;
}

/** The service of the slot `dashboards`. */
export interface Dashboards {
  /** The dashboards of a portal, in the order in which its routes register them. */
  of(portal: string): readonly DashboardMount[];
}

/** The hooks of the slot `dashboards`. */
export interface DashboardHooks {
  /** A dashboard lists what waits for the person of the request: append lines. */
  waiting: AsyncSeriesHook<[items: WaitingItem[], controller: BaseController], InPortal>;
  /**
   * A dashboard declared its cards, at boot and at each request: declare more, as in `configure()`, which reads no request.
   * A key that the dashboard or another plugin has is refused.
   */
  cards: SyncHook<[dashboard: Dashboard, mount: DashboardMount], void, InPortal>;
}

declare module "framewright/kernel" {
  interface Slots {
    dashboards: { service: Dashboards; hooks: DashboardHooks };
  }
}
