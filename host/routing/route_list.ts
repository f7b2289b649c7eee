import type { ApplicationContext } from "../app/application_context.ts";
import type { RouteInfo } from "../app/hooks.ts";
import { admitsGuests } from "../controllers/authentication.ts";
import type { ControllerClass } from "../controllers/controller.ts";
import { describeRoute, type Route } from "./route.ts";
import { fullPattern } from "./route_pattern.ts";

export function routeList(application: ApplicationContext): RouteInfo[] {
  const infos: RouteInfo[] = [];
  const main = application.routeSets.get(undefined);
  for (const route of main?.routes ?? [])
    infos.push(info(application, route, undefined, fullPattern(undefined, route.pattern), false));
  for (const mount of application.mounts) {
    const { engine, at, constraint } = mount;
    const routes = application.routeSets.get(engine.name)?.routes ?? [];
    if (engine.entry)
      infos.push(info(application, { ...engine.entry, pattern: "/" }, engine.name, at, constraint !== undefined));
    for (const route of routes)
      infos.push(info(application, route, engine.name, fullPattern(mount, route.pattern), constraint !== undefined));
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
  const controller = application.controllerOf(route, engine);
  const constant = application.constants.of(controller);
  const admits = admitsGuests(application.authModes, controller ?? {});
  const listed: RouteInfo = {
    verb: route.verb,
    path,
    name: route.name,
    to: `${constant?.name ?? controller?.name ?? describeRoute(route)}#${describeRoute(route).split("#")[1]}`,
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

/** Who may come in, by a controller and its base classes: "open" when they only admit guests, "nobody" when they state nothing. */
export function accessOf(controller: unknown): string {
  const { access, guests } = (controller ?? {}) as { access?: unknown; guests?: unknown };
  if (typeof access === "string") return access;
  return guests === "admit" ? "open" : "nobody";
}
