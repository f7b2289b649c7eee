import type { ApplicationContext } from "../app/application_context.ts";
import type { RouteInfo } from "../app/hooks.ts";
import { admitsGuests } from "../controllers/authentication.ts";
import type { ControllerClass } from "../controllers/controller.ts";
import { describeRoute, type Route } from "./route.ts";

export function routeList(application: ApplicationContext): RouteInfo[] {
  const infos: RouteInfo[] = [];
  const main = application.routeSets.get(undefined);
  for (const route of main?.routes ?? []) infos.push(info(application, route, undefined, "", false));
  for (const { engine, at, constraint } of application.mounts) {
    const prefix = at + engine.prefixParameters.map((name) => `/:${name}`).join("");
    const routes = application.routeSets.get(engine.name)?.routes ?? [];
    if (engine.entry)
      infos.push(info(application, { ...engine.entry, pattern: "/" }, engine.name, at, constraint !== undefined));
    for (const route of routes) infos.push(info(application, route, engine.name, prefix, constraint !== undefined));
  }
  return infos;
}

function info(
  application: ApplicationContext,
  route: Route,
  owner: string | undefined,
  prefix: string,
  constrained: boolean,
): RouteInfo {
  const engine = owner === undefined ? undefined : application.engines.get(owner);
  const controller = application.controllerOf(route, engine);
  const constant = application.constants.of(controller);
  const admits = admitsGuests(application.authModes, controller ?? {});
  const listed: RouteInfo = {
    verb: route.verb,
    path: (prefix + route.pattern).replace(/(.)\/$/, "$1"),
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
