import { suggest, withMacroErrors } from "framewright/kernel";
import { errors } from "../errors.ts";
import { compileRoute } from "../routing/compiled_route.ts";
import type { MountDeclaration, RouteSet } from "../routing/route_set.ts";
import { buildTable, type MountedEngine, Router } from "../routing/router.ts";
import type { ApplicationContext } from "./application_context.ts";
import type { Loader } from "./loader.ts";
import { providers } from "./providers.ts";

/** Draws the routes of the main application and of every engine, then gives each its controller. */
export async function drawApplication(application: ApplicationContext, loader: Loader): Promise<Router> {
  const { hooks, kernel, paths, packages, routeSets } = application;
  await hooks.prepare.promise(application);
  const main = application.routeSetOf(undefined);
  const block = await loader.mainRoutes();
  withMacroErrors("config/routes.ts", [main], () => block?.draw(main), providers.macros);
  for (const { routes, name } of packages) {
    if (!routes) continue;
    const set = application.routeSetOf(routes.engine.name);
    withMacroErrors(`packages/${name}/config/routes.ts`, [set], () => routes.draw(set), providers.macros);
  }
  await kernel.hooks.drawRoutes.promise(main);
  application.authModes.checkAnswered();
  checkTappedPortals(application);
  for (const [owner, set] of routeSets) paths.add(owner, set.routes);
  const mounts = inTurn(application, main).map((declaration) => mount(application, declaration));
  application.mounts = mounts;
  return new Router(buildTable(application, main, undefined), mounts);
}

/** The mounts in the order in which a path is looked up in them: what is mounted at the root has what is left. @throws FW_MOUNT_ROOT… */
function inTurn({ settings, engines }: ApplicationContext, main: RouteSet): readonly MountDeclaration[] {
  const isRoot = ({ at }: MountDeclaration) => at === settings.basePath;
  const roots = main.mounts.filter(isRoot);
  const own = main.routes.find(
    ({ verb, pattern }) => verb === "GET" && (pattern === "/" ? "" : pattern) === settings.basePath,
  );
  for (const { engine } of roots) {
    if (own) throw errors.FW_MOUNT_ROOT(engine.name, own.pattern);
    const isShared = (engines.get(engine.name)?.origins.length ?? 0) > 0;
    if (isShared) throw errors.FW_MOUNT_ROOT_ORIGINS(engine.name);
  }
  return [...main.mounts.filter((one) => !isRoot(one)), ...roots];
}

/** A tap for a portal that is misspelt would never run. @throws FW_TAP_PORTAL_UNKNOWN */
function checkTappedPortals({ kernel, engines }: ApplicationContext): void {
  const names = [...engines.keys()];
  for (const { plugin, hook, portal } of kernel.taps())
    if (portal !== undefined && !engines.has(portal))
      throw errors.FW_TAP_PORTAL_UNKNOWN(plugin, hook, portal, suggest(portal, names));
}

function mount(application: ApplicationContext, { engine: { name }, at, constraint }: MountDeclaration): MountedEngine {
  const engine = application.engines.get(name);
  if (!engine) throw errors.FW_ENGINE_UNKNOWN(name);
  application.paths.addMount({ engine, at });
  if (engine.origins.length > 0) application.crossOrigins.add(at, engine.origins);
  if (constraint) engine.isConstrained = true;
  const entry = engine.entry && compileRoute(application, engine.entry, engine);
  const table = buildTable(application, application.routeSetOf(name), engine);
  const unknownPage = engine.unknownPage && compileRoute(application, engine.unknownPage, engine);
  return { engine, at, constraint, table, entry, unknownPage };
}
