import {
  accessOf,
  type BaseController,
  type ControllerClass,
  defineEngine,
  type Engine,
  type EngineDefinition,
  type Route,
} from "framewright/host";
import { definePlugin, definePlugins, type PluginList, SyncHook } from "framewright/kernel";
import { byoMode, publicMode } from "./auth_modes.ts";
import { drawBadges } from "./badges.ts";
import { portalLabel } from "./concerns.ts";
import type { PortalHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { addFailedLine, navigationOf } from "./navigation.ts";
import { drawNavigation, type PortalPart, PortalParts } from "./parts.ts";
import { providerOf } from "./portal_controller.ts";
import { isProbe } from "./probe.ts";
import { keepLocals } from "./shell.ts";
import { type UserMenuItem, userMenuOf } from "./user_menu.ts";

export {
  CurrentUser,
  type CurrentUserOptions,
  type FindUser,
  type PortalConcern,
  PortalController,
  PublicAccess,
  portalLabel,
} from "./concerns.ts";

import { unknownPage } from "./unknown_page.ts";

export type { PortalHooks, Portals } from "./contract.ts";
export type { Badge, NavigationGroup, NavigationItem } from "./navigation.ts";
export { definePortalPart, type PartPortal, type PortalPart } from "./parts.ts";
export { portalBaseController, portalController } from "./portal_controller.ts";
export { isProbe, type Probed, probePortal, rootAuthentication } from "./probe.ts";
export { accountId, type RowOwner, rowOwner, tenantKey } from "./row_owner.ts";
export { type PortalShell, portalShell } from "./shell.ts";
export type { UserMenuItem } from "./user_menu.ts";

/**
 * Defines a portal: an engine with its own routes, controller concern and, optionally, tenant.
 * The block runs when the application loads, not when the file is imported.
 */
export function definePortal(name: string, block: (portal: Engine) => void = () => undefined): EngineDefinition {
  if (typeof name !== "string" || !/^[A-Z]\w*$/.test(name)) throw errors.FW_PORTAL_NAME(name);
  return defineEngine(name, "portal", block);
}

/** After what plugins add to all portals. */
const PARTS_STAGE = 100;

/** Portals: mounted engines whose controllers must declare their authentication. Includes the modes `public` and `byo`. */
export function portals(): PluginList {
  const plugin = definePlugin({
    name: "portals",
    requires: ["host"],
    provides: "portals",
    hooks: (): PortalHooks => ({
      navigation: new SyncHook(["items", "controller"]),
      userMenu: new SyncHook(["items", "controller"]),
    }),
    portalOf: {
      navigation: (_, { request }) => request.engine?.name,
      userMenu: (_, { request }) => request.engine?.name,
    },
    isolated: { navigation: addFailedLine, userMenu: addFailedLine },
    apply({ services, hooks }) {
      const all = new Map<string, Engine>();
      const parts = new PortalParts();
      services.host.engineMacros.define("portals", "use", (engine) => (part: PortalPart) => parts.use(engine, part));
      hooks.kernel.drawRoutes.tap("portals", () => parts.draw(services.host));
      hooks.kernel.drawRoutes.tap({ name: "portals", stage: PARTS_STAGE }, () => {
        for (const engine of all.values()) {
          engine.unknownPage = unknownPage(services.host, engine);
          drawBadges(services.host, engine.name, hooks.portals.navigation);
        }
      });
      hooks.portals.navigation.tap({ name: "portals", stage: PARTS_STAGE }, (items, controller) => {
        for (const part of parts.of(controller.request.engine?.name)) drawNavigation(part, items, controller);
      });
      hooks.host.engine.tap("portals", (engine) => {
        if (engine.definition.kind === "portal") all.set(engine.name, engine);
      });
      hooks.host.compile.tap("portals", ({ route, engine, controller, where }) => {
        if (!engine || !all.has(engine.name)) return;
        const lacks = !("inPortal" in controller)
          ? "PortalController"
          : ["open", "nobody"].includes(accessOf(controller))
            ? "PublicAccess, CurrentUser or Authlib"
            : undefined;
        if (lacks) throw errors.FW_CONTROLLER_OPEN(controller.name, where, lacks);
        if (refusesGuestWrites(route, controller)) route.metadata.guests = "refuse";
      });
      hooks.host.list.tap("portals", (info, { controller }) => {
        const provider = controller && providerOf(controller);
        if (provider !== undefined) info.to = info.to.replace(`${controller.name}#`, `${provider}#`);
      });
      hooks.host.page.tap("portals", (locals, controller) => {
        const { engine, mountPath } = controller.request;
        if (!engine || !all.has(engine.name)) return;
        if (isProbe(controller.request)) keepLocals(controller.request, locals);
        locals.portal ??= {
          name: engine.name,
          label: portalLabel(engine, controller.request),
          root_url: mountPath || "/",
        };
        locals.navigation ??= navigationOf(controller, hooks.portals.navigation);
        const { userMenu } = hooks.portals;
        if (userMenu.taps.length > 0)
          locals.user_menu = userMenuOf(controller, userMenu, locals.user_menu as UserMenuItem[] | undefined);
      });
      hooks.kernel.ready.tap("portals", () => {
        if (hooks.kernel.layout.taps.length === 0) throw errors.FW_LAYOUT_MISSING();
      });
      return { all };
    },
  });
  return definePlugins([publicMode(), byoMode(), plugin]);
}

/** Whether a route of a public portal refuses guests: a write to a plain controller that does not admit them itself. Policies decide for resources. */
function refusesGuestWrites({ verb, metadata }: Route, controller: ControllerClass): boolean {
  const { authentication, guests } = controller as unknown as typeof BaseController;
  return verb !== "GET" && metadata.resource === undefined && authentication?.mode === "public" && guests === undefined;
}
