import type { BaseController, Engine } from "framewright/host";
import type { InPortal, SyncHook } from "framewright/kernel";
import type { NavigationItem } from "./navigation.ts";
import type { PortalPart } from "./parts.ts";
import type { UserMenuItem } from "./user_menu.ts";

/** The service of the slot `portals`. */
export interface Portals {
  /** Every portal of the application by its name (`AdminPortal`). */
  readonly all: ReadonlyMap<string, Engine>;
}
/** The hooks of the slot `portals`. */
export interface PortalHooks {
  /** When a portal's sidebar is built for a request. Append items, in their order. */
  navigation: SyncHook<[items: NavigationItem[], controller: BaseController], void, InPortal>;
  /** When the user menu of a portal's page is built. Append items; each sets its order. Guests have a menu where there are items. */
  userMenu: SyncHook<[items: UserMenuItem[], controller: BaseController], void, InPortal>;
}
declare module "framewright/kernel" {
  interface Slots {
    portals: { service: Portals; hooks: PortalHooks };
  }
}
declare module "framewright/host" {
  interface EngineMacros {
    /** Adds a plugin's part to this portal: `portal.use(audit.pages({ at: "audit" }))`. @throws FW_PORTAL_USE, FW_PORTAL_PART_TWICE */
    use(part: PortalPart): void;
  }
}
