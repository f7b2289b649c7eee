import type { BaseController } from "../controllers/controller.ts";
import type { RequestContext } from "../http/request.ts";
import type { Route } from "../routing/route.ts";
import type { RouteBlock, RouteSet } from "../routing/route_set.ts";

const definition = Symbol.for("framewright.engine");

/** Methods that plugins add to engines (`scopeToEntity`). */
export interface EngineMacros {}
export interface Engine extends EngineMacros {}

/** An engine as one application runs it: its name, what it prepares on every request, and what it registered at boot. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: macros are installed on each object when it is created
export class Engine {
  readonly name: string;
  /** `admin_portal`: its package, and the prefix of its constants' paths. */
  readonly path: string;
  /** The package's folder. */
  readonly directory: string;
  readonly config: { afterInitialize(block: () => void): void };
  readonly afterInitialize: (() => void)[] = [];
  /** Awaited on each request's controller, after its account is known and before its first before-action. */
  readonly prepare: ((controller: BaseController) => void | Promise<void>)[] = [];
  /** Segments between the mount's path and the engine's routes, as in `["organization_id"]`; part of every URL. */
  readonly prefixParameters: string[] = [];
  /** By such a segment, which column of a record is in it; its id where none is named. */
  readonly prefixKeys: Record<string, string> = {};
  readonly #origins: string[] = [];
  #publicMaxAge = 0;
  /** Whether a mount of it is open to some requests only; set when it is mounted. */
  isConstrained = false;
  /** What answers the bare mount where such a segment is missing; set by the plugin that added it. */
  entry: Route | undefined;
  /** What answers a page below the mount that no route has, for people with a session; set by the plugin that draws its pages. */
  unknownPage: Route | undefined;
  /** How the tenant is found, for the list of routes. */
  tenantRule: string | undefined;
  /** The constant of the tenant's model; undefined in an engine that serves no tenant. */
  tenantModel: string | undefined;
  /** The origin of a tenant's pages, as `https://acme.shop.example`, where host names are tenants'; set by the plugin that finds tenants. */
  tenantOrigin: ((tenant: object, request?: RequestContext) => string) | undefined;
  readonly definition: EngineDefinition;

  constructor(engine: EngineDefinition, directory: string, path: string) {
    this.definition = engine;
    this.name = engine.name;
    this.directory = directory;
    this.path = path;
    this.config = { afterInitialize: (block) => void this.afterInitialize.push(block) };
  }

  /**
   * Lets pages of other origins call this engine with a bearer token, and read what it answers. Cookies are not looked
   * at then. @example portal.allowOrigins("https://app.example");
   */
  allowOrigins(...origins: string[]): void {
    this.#origins.push(...origins);
  }
  /**
   * Lets caches in front keep what this engine answers guests, for so many seconds: pages and JSON of requests without a
   * cookie of ours, which draw no form with a token and set no cookie. Controllers differ by `static publicMaxAge`.
   * @example portal.allowPublicCache({ maxAge: 60 });
   */
  allowPublicCache({ maxAge }: { maxAge: number }): void {
    this.#publicMaxAge = maxAge;
  }
  /** Seconds; 0 for not at all. */
  get publicMaxAge(): number {
    return this.#publicMaxAge;
  }
  /** The origins whose pages may call this engine. */
  get origins(): readonly string[] {
    return this.#origins;
  }
}

/** What a package's `lib/engine.ts` exports: a name and a block that runs when the application loads. */
export interface EngineDefinition {
  readonly name: string;
  readonly kind: string;
  readonly block: (engine: Engine) => void;
  readonly routes: { draw(block: (routes: RouteSet) => void): EngineRoutes };
}
/** What an engine's `config/routes.ts` exports. */
export interface EngineRoutes extends RouteBlock {
  readonly engine: EngineDefinition;
}

/** Defines an engine, as `definePortal` does: `block` runs when the application loads. */
export function defineEngine(name: string, kind: string, block: (engine: Engine) => void): EngineDefinition {
  const engine: EngineDefinition = Object.assign(Object.create({ [definition]: true }), {
    name,
    kind,
    block,
    routes: { draw: (draw: (routes: RouteSet) => void): EngineRoutes => ({ engine, draw }) },
  });
  return engine;
}

export function isEngineDefinition(value: unknown): value is EngineDefinition {
  return typeof value === "object" && value !== null && definition in value;
}
