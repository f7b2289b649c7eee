import {
  type Application,
  type BaseController,
  type ControllerClass,
  type Engine,
  logPart,
  type RouteSet,
} from "framewright/host";
import { describe, messageOf, suggest } from "framewright/kernel";
import { errors } from "./errors.ts";
import { addFailedLine, type NavigationItem } from "./navigation.ts";
import { named, portalBaseController, withoutResource } from "./portal_controller.ts";

/** The portal that a part is drawn in. */
export interface PartPortal {
  /** `AdminPortal` */
  readonly name: string;
  readonly engine: Engine;
  /**
   * A controller on the portal's base: its authentication, tenant and layout. Guests are refused, also in a public portal,
   * unless the mixin has `static guests = "admit" as const`.
   * @throws FW_PORTAL_BASE in a portal without a base
   */
  controller(): ControllerClass;
  controller<C extends ControllerClass>(mixin: (Base: ControllerClass) => C): C;
}

/** What a plugin adds to the portals that use it. */
export interface PortalPart {
  /** For errors and lists of routes; once in a portal. */
  readonly name: string;
  /** Draws its routes, after those of the portal. */
  routes?(routes: RouteSet, portal: PartPortal): void;
  /** Appends items to the portal's sidebar, after those of the hook `navigation`. */
  navigation?(items: NavigationItem[], controller: BaseController): void;
  /** Runs on each request to the portal, once account and tenant are known. A reply that it sets ends the request. */
  prepare?(controller: BaseController): void | Promise<void>;
}

const functions = ["routes", "navigation", "prepare"] as const;
/** Module-level: marks what definePortalPart() creates, so that nothing else passes for it. */
const parts = new WeakSet<object>();

/**
 * Defines a part of portals: `portal.use(audit.pages({ at: "audit" }))`.
 * @throws FW_PORTAL_PART
 */
export function definePortalPart(part: PortalPart): PortalPart {
  const { name } = (part ?? {}) as { name?: unknown };
  if (typeof name !== "string" || !/^[a-z][\w-]*$/i.test(name))
    throw errors.FW_PORTAL_PART(describe(part), 'it has no name, as in { name: "audit" }');
  for (const key of Object.keys(part)) {
    if (key === "name") continue;
    const known = functions.find((one) => one === key);
    if (!known) throw errors.FW_PORTAL_PART(`"${name}"`, `it has no "${key}"${hint(key)}`);
    if (typeof part[known] !== "function") throw errors.FW_PORTAL_PART(`"${name}"`, `its "${key}" is no function`);
  }
  const defined = Object.freeze({ ...part });
  parts.add(defined);
  return defined;
}
const hint = (key: string): string => {
  const meant = suggest(key, functions);
  return meant === undefined ? "" : `; did you mean "${meant}"?`;
};

/** The parts that the portals of an application use. */
export class PortalParts {
  readonly #byPortal = new Map<string, PortalPart[]>();
  #isDrawn = false;

  /** @throws FW_PORTAL_USE, FW_PORTAL_PART_TWICE */
  use(engine: Engine, part: PortalPart): void {
    if (engine.definition.kind !== "portal") throw errors.FW_PORTAL_USE(engine.name, "it is no portal");
    if (this.#isDrawn)
      throw errors.FW_PORTAL_USE(engine.name, "its routes are drawn; call it in the block of definePortal");
    if (typeof part !== "object" || part === null || !parts.has(part))
      throw errors.FW_PORTAL_USE(engine.name, `got ${describe(part)}, which definePortalPart did not return`);
    const used = this.of(engine.name);
    if (used.some(({ name }) => name === part.name)) throw errors.FW_PORTAL_PART_TWICE(engine.name, part.name);
    this.#byPortal.set(engine.name, [...used, part]);
  }
  of(portal: string | undefined): readonly PortalPart[] {
    return this.#byPortal.get(portal ?? "") ?? [];
  }

  /** Draws the routes of all parts, and adds what they prepare after what the portals prepare: the tenant is known. */
  draw(application: Application): void {
    this.#isDrawn = true;
    for (const [portal, used] of this.#byPortal) {
      const engine = application.engines.get(portal)!;
      for (const part of used) {
        const source = `the part "${part.name}"`;
        application
          .routeSetOf(portal)
          .drawnBy(source, (routes) => part.routes?.(routes, partPortal(application, engine, part)));
        if (part.prepare) engine.prepare.push((controller) => prepare(part, controller));
      }
    }
  }
}

/** The lines of a part; one that throws fails alone. */
export function drawNavigation(part: PortalPart, items: NavigationItem[], controller: BaseController): void {
  try {
    part.navigation?.(items, controller);
  } catch (cause) {
    const error = errors.FW_PORTAL_PART_FAILED(part.name, "navigation", messageOf(cause));
    logPart(controller, Object.assign(error, { cause }), cause);
    addFailedLine(items, controller);
  }
}

/** The list of tenants at the mount's root is no page of a part: there is no tenant yet. */
function prepare(part: PortalPart, controller: BaseController): void | Promise<void> {
  const { engine, route } = controller.request;
  return route === engine?.entry ? undefined : part.prepare?.(controller);
}

function partPortal(application: Application, engine: Engine, part: PortalPart): PartPortal {
  const controller = (mixin: (Base: ControllerClass) => ControllerClass = (Base) => Base): ControllerClass => {
    const Base = portalBaseController(application, engine.path);
    if (!Base) throw errors.FW_PORTAL_BASE(engine.name, part.name, engine.path);
    return named(mixin(closed(withoutResource(Base, part.name))), part.name);
  };
  return { name: engine.name, engine, controller: controller as PartPortal["controller"] };
}

/** What the base declares of its own guests does not apply to the part's. */
const closed = (Base: ControllerClass): ControllerClass => Object.assign(Base, { guests: "refuse" as const });
