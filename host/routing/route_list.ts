import type { ApplicationContext } from "../app/application_context.ts";
import type { RouteInfo } from "../app/hooks.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { admitsGuests } from "../controllers/authentication.ts";
import type { ControllerClass } from "../controllers/controller.ts";
import { describeAction, NAMELESS, ownerOf, type Route } from "./route.ts";
import { fullPattern } from "./route_pattern.ts";

export function routeList(application: ApplicationContext): RouteInfo[] {
  const infos: RouteInfo[] = [];
  const main = application.routeSets.get(undefined);
  for (const route of main?.routes ?? [])
    infos.push(
      info(application, route, undefined, fullPattern(undefined, route.pattern), route.constraint !== undefined),
    );
  for (const mount of application.mounts) {
    const { engine, at, constraint } = mount;
    const routes = application.routeSets.get(engine.name)?.routes ?? [];
    if (engine.entry) infos.push(info(application, engine.entry, engine.name, at, constraint !== undefined));
    for (const route of routes) {
      const isConstrained = (constraint ?? route.constraint) !== undefined;
      infos.push(info(application, route, engine.name, fullPattern(mount, route.pattern), isConstrained));
    }
  }
  return infos;
}

function info(
  application: ApplicationContext,
  route: Route,
  owner: string | undefined,
  path: string,
  constrained: boolean,
): RouteInfo {
  const engine = owner === undefined ? undefined : application.engines.get(owner);
  const controller = application.controllerOf(route);
  const admits = admitsGuests(application.authModes, controller ?? {});
  const listed: RouteInfo = {
    verb: route.verb,
    path,
    name: route.name,
    to: targetOf(application, route, engine, controller),
    engine: owner,
    account: accessOf(controller),
    guests: admits ? (route.verb === "GET" ? "read" : "write") : "refuse",
    tenant: engine?.tenantRule,
    constrained,
    csrf: "form",
    ...route.metadata,
  };
  const where = `${route.verb} ${listed.path}`;
  application.hooks.list.call(listed, { route, engine, controller: controller as ControllerClass, where });
  return listed;
}

/**
 * The names by which the code of a route is found: of its class and method, or of its plugin and function. A function
 * without a name is named by the file that draws it.
 */
function targetOf(
  { constants }: ApplicationContext,
  route: Route,
  engine: Engine | undefined,
  controller: ControllerClass | undefined,
): string {
  const action = describeAction(route.action);
  const constant = constants.of(controller)?.name;
  if (action === NAMELESS && (constant !== undefined || route.source === undefined))
    return `${engine ? `packages/${engine.path}/` : ""}config/routes.ts`;
  const plugin = typeof route.action === "function" ? route.plugin : undefined;
  return `${constant ?? plugin ?? controller?.name ?? ownerOf(route)}#${action}`;
}

/** Who may come in, by a controller and its base classes: "open" when they only admit guests, "nobody" when they state nothing. */
export function accessOf(controller: unknown): string {
  const { access, guests } = (controller ?? {}) as { access?: unknown; guests?: unknown };
  if (typeof access === "string") return access;
  return guests === "admit" ? "open" : "nobody";
}
