import { type Engine, type EngineDefinition, isEngineDefinition } from "../app/mounted_engine.ts";
import { errors } from "../errors.ts";
import {
  type Action,
  type Constraint,
  describeRoute,
  type Route,
  type RouteMetadata,
  type RouteOptions,
  type Verb,
} from "./route.ts";
import { parametersOf, segmentsOf } from "./route_table.ts";

/** A `mount` of config/routes.ts. */
export interface MountDeclaration {
  engine: EngineDefinition;
  at: string;
  constraint: Constraint | undefined;
}

/** An engine at its path, as the application runs it. */
export interface Mount {
  readonly engine: Engine;
  readonly at: string;
  readonly constraint: Constraint | undefined;
}

/** Methods that plugins add to `config/routes.ts` (`registerResource`). */
export interface RouteMacros {}
export interface RouteSet extends RouteMacros {}

interface Target {
  to?: string | undefined;
  as?: string | undefined;
}

type HostRouteSet = RouteSet;
declare module "framewright/kernel" {
  interface RouteSet extends HostRouteSet {}
}

/** The routes of the main application or of one engine, while they are drawn. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: macros are installed on each object when it is created
export class RouteSet {
  /** The engine's name; undefined for the main application. */
  readonly owner: string | undefined;
  readonly routes: Route[] = [];
  readonly mounts: MountDeclaration[] = [];
  #constraint: Constraint | undefined;
  readonly #drawer: () => string | undefined;
  #source: string | undefined;
  readonly #base: string;

  /** `drawer`: the plugin that draws right now, named where two draw the same; `base`: the path below which all is. */
  constructor(owner?: string, drawer: () => string | undefined = () => undefined, base = "") {
    this.owner = owner;
    this.#base = base;
    this.#drawer = drawer;
  }

  /** `routes.root({ to: "dashboard#index" })`: the engine's own address, named `root`. */
  root(options: Target): void {
    this.draw("GET", "/", { as: "root", ...options } as RouteOptions);
  }
  get(path: string, options: RouteOptions = {}): void {
    this.draw("GET", path, options);
  }
  post(path: string, options: RouteOptions = {}): void {
    this.draw("POST", path, options);
  }
  put(path: string, options: RouteOptions = {}): void {
    this.draw("PUT", path, options);
  }
  patch(path: string, options: RouteOptions = {}): void {
    this.draw("PATCH", path, options);
  }
  delete(path: string, options: RouteOptions = {}): void {
    this.draw("DELETE", path, options);
  }

  /** Mounts and routes inside the block are open to requests that pass: `routes.constraints(authenticate("user"), (r) => r.mount(…))`. */
  constraints(constraint: Constraint, block: (routes: this) => void): void {
    const outer = this.#constraint;
    this.#constraint = outer ? both(outer, constraint) : constraint;
    try {
      block(this);
    } finally {
      this.#constraint = outer;
    }
  }

  /** What `constraints` puts around what is drawn now; for what is drawn later in its stead. */
  get constraint(): Constraint | undefined {
    return this.#constraint;
  }

  /** Names what draws the routes of the block, for errors: `routes.drawnBy('the part "audit"', (r) => …)`. */
  drawnBy(source: string, block: (routes: this) => void): void {
    const outer = this.#source;
    this.#source = source;
    try {
      block(this);
    } finally {
      this.#source = outer;
    }
  }

  /**
   * `routes.mount(AdminPortal, { at: "/admin" })`. At `/` an engine has the paths that neither the main application nor another mount has.
   * @throws FW_MOUNT_PREFIX, FW_MOUNT_TAKEN
   */
  mount(engine: EngineDefinition, { at }: { at: string }): void {
    if (typeof at !== "string" || !/^(?:\/|\/?[\w~.-]+(?:\/[\w~.-]+)*)$/.test(at)) throw errors.FW_MOUNT_PREFIX(at);
    if (!isEngineDefinition(engine)) throw errors.FW_ENGINE_UNKNOWN(String(engine));
    const prefix = this.#base + (at === "/" ? "" : at.startsWith("/") ? at : `/${at}`);
    const taken = this.mounts.find((mount) => mount.at === prefix && !mount.constraint);
    if (taken) throw errors.FW_MOUNT_TAKEN(prefix || "/", taken.engine.name, engine.name);
    this.mounts.push({ engine, at: prefix, constraint: this.#constraint });
  }

  /** Draws one route; the verbs above and the macros of plugins call it. @throws FW_ROUTE_… */
  draw(verb: Verb, path: string, options: RouteOptions): Route {
    const own = segmentsOf(path);
    const segments = [...this.#base.split("/").slice(1), ...own];
    const pattern = `/${segments.join("/")}`;
    const { controller, action } = target(pattern, own, options, this.owner);
    const plugin = this.#source === undefined ? this.#drawer() : undefined;
    const name = options.as ?? (options.to === undefined ? undefined : conventionalName(own));
    const route = {
      verb,
      pattern,
      segments,
      parameters: parametersOf(segments),
      ...(options.keys ? { keys: options.keys } : {}),
      name,
      controller,
      action,
      metadata: metadataOf(options),
      ...(this.#constraint ? { constraint: this.#constraint } : {}),
      source: this.#source ?? pluginSource(plugin),
      plugin,
    };
    this.#checkUnique(route);
    this.routes.push(route);
    return route;
  }

  #checkUnique(route: Route): void {
    const shape = shapeOf(route);
    const taken = this.#shapes.get(shape);
    if (taken) throw errors.FW_ROUTE_TAKEN(route.verb, route.pattern, drawnRoute(taken), drawnRoute(route));
    this.#shapes.set(shape, route);
    if (route.name === undefined) return;
    const named = this.#names.get(route.name);
    if (named && named.pattern !== route.pattern)
      throw errors.FW_ROUTE_NAME_TAKEN(route.name, named.pattern + sourceOf(named), route.pattern + sourceOf(route));
    this.#names.set(route.name, route);
  }
  readonly #shapes = new Map<string, Route>();
  readonly #names = new Map<string, Route>();
}

const both =
  (first: Constraint, second: Constraint): Constraint =>
  async (request) => {
    const answer = await first(request);
    return answer === true ? second(request) : answer;
  };

const pluginSource = (name: string | undefined) => (name === undefined ? undefined : `the plugin "${name}"`);
const sourceOf = ({ source }: Route): string => (source === undefined ? "" : ` (${source})`);
const drawnRoute = (route: Route): string => describeRoute(route) + sourceOf(route);

const shapeOf = ({ verb, segments }: Route) =>
  `${verb} ${segments.map((segment) => (segment.startsWith(":") ? ":" : segment)).join("/")}`;

/** `settings` for `settings`, `settings_edit` for `settings/edit`; a path with parameters gets no name by itself. */
function conventionalName(segments: readonly string[]): string | undefined {
  if (segments.length === 0 || segments.some((segment) => segment.startsWith(":"))) return undefined;
  return segments.join("_").replaceAll(/[^\w]/g, "_");
}

function target(
  pattern: string,
  segments: readonly string[],
  { to, controller, action }: RouteOptions,
  engine?: string,
) {
  if (controller !== undefined && action !== undefined) return { controller, action };
  const [path, method] = (to ?? conventionalTarget(segments)).split("#");
  if (!path || !method) throw errors.FW_ROUTE_TARGET(pattern);
  return { controller: { path, engine }, action: method as Action };
}

/** `settings/profile` leads to `settings#profile` unless it has a target. */
const conventionalTarget = (segments: readonly string[]) =>
  segments.length === 2 && segments.every((segment) => !segment.startsWith(":")) ? segments.join("#") : "";

const metadataKeys = ["resource", "policy", "association", "layout", "csrf", "csrfReason"] as const;
function metadataOf(options: RouteOptions): RouteMetadata {
  const metadata: Record<string, unknown> = {};
  for (const key of metadataKeys) if (options[key] !== undefined) metadata[key] = options[key];
  return metadata;
}

/** What `config/routes.ts` exports: the block runs when the application draws its routes, not when it is imported. */
export interface RouteBlock {
  readonly draw: (routes: RouteSet) => void;
}
/** What `config/routes.ts` exports: `export default drawRoutes((routes) => routes.root({ to: "home#index" }))`. */
export const drawRoutes = (draw: (routes: RouteSet) => void): RouteBlock => ({ draw });
