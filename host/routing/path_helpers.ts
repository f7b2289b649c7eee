import { type Settings, suggest } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { RequestContext } from "../http/request.ts";

/** `posts_path()`, `post_path(post)`, `post_path(1, { q: "x" })`, and the same with `_url`. */
export type PathHelper = (...args: unknown[]) => string;
/** The names of drawn routes; `fw types` merges them in. */
export interface RouteNames {}
/** The helpers of the drawn routes: `<name>_path` and `<name>_url`. */
export type PathHelpers = { readonly [N in keyof RouteNames & string as `${N}_path` | `${N}_url`]: PathHelper } & {
  readonly [name: string]: PathHelper;
};

/** A route that has a path, as `/posts/:id`. */
interface PathRoute {
  readonly name: string | undefined;
  readonly pattern: string;
  readonly segments: readonly string[];
  readonly parameters: readonly string[];
  readonly keys?: Readonly<Record<string, string>> | undefined;
}
interface PathEngine {
  readonly name: string;
  readonly prefixParameters: readonly string[];
  readonly prefixKeys?: Readonly<Record<string, string>>;
  readonly tenantOrigin?: ((tenant: object, request?: RequestContext) => string) | undefined;
}
/** The request in which paths are written: its engine and mount are those of its own engine's paths. */
export interface PathRequest {
  readonly engine: PathEngine | undefined;
  readonly mountPath: string;
  readonly origin: string;
  readonly settings: Settings;
  readonly controller?: { readonly currentScopedEntity: object | undefined } | undefined;
}
/** The path at which an engine is mounted. */
export interface MountPoint {
  readonly engine: PathEngine;
  readonly at: string;
}
type Values = Record<string, unknown>;

/** The named routes of every engine, and their paths. */
export class RoutePaths {
  readonly #names = new Map<string, Map<string, PathRoute>>();
  readonly #mounts: MountPoint[] = [];
  readonly #shorter = new WeakMap<PathRoute, PathRoute>();
  readonly #classes = new Map<string, new (request: PathRequest) => PathHelpers>();

  add(owner: string | undefined, routes: readonly PathRoute[]): void {
    const names = new Map<string, PathRoute>();
    for (const route of routes) if (route.name !== undefined) names.set(route.name, route);
    this.#names.set(owner ?? "", names);
  }
  addMount(mount: MountPoint): void {
    this.#mounts.push(mount);
  }
  /** Where parameters of a named route are missing, its path is that of `shorter`: `/import(/:token)/:step`. */
  addShorter(route: PathRoute, shorter: PathRoute): void {
    this.#shorter.set(route, shorter);
  }
  names(owner: string | undefined): string[] {
    return [...(this.#names.get(owner ?? "")?.keys() ?? [])];
  }
  has(owner: string | undefined, name: string): boolean {
    return this.#names.get(owner ?? "")?.has(name) ?? false;
  }

  /** Whether a name is that of a page without an id in its path: a resource called so may have a list. */
  hasSingular(owner: string | undefined, name: string): boolean {
    const route = this.#names.get(owner ?? "")?.get(name);
    return route !== undefined && !route.parameters.includes("id");
  }

  /** The helpers of the request's engine; the main application's are there too, unless the engine has one of the same name. */
  helpers(request: PathRequest): PathHelpers {
    const owner = request.engine?.name ?? "";
    let Helpers = this.#classes.get(owner);
    if (!Helpers) {
      Helpers = this.#helperClass(owner);
      this.#classes.set(owner, Helpers);
    }
    return new Helpers(request);
  }

  /**
   * The path of a named route. Positional arguments fill the parameters in order, an object fills them by name and puts
   * the rest into the query.
   * @throws FW_ROUTE_UNKNOWN, FW_ROUTE_ARGUMENT, FW_ENGINE_NOT_MOUNTED
   */
  path(owner: string | undefined, name: string, args: readonly unknown[] = [], request?: PathRequest): string {
    const route = this.#names.get(owner ?? "")?.get(name);
    if (!route) throw errors.FW_ROUTE_UNKNOWN(name, suggest(name, this.names(owner)));
    if (args.length === 0 && route.parameters.length === 0) return this.#plain(owner, route, request);
    const positional = args.filter((arg) => !isOptions(arg));
    const options: Values = Object.assign({}, ...args.filter(isOptions));
    const prefix = owner === undefined || owner === "" ? "" : this.#prefix(owner, request, options);
    const shorter = this.#shorter.get(route);
    const path =
      prefix + fill(shorter && lacksArguments(route, positional, options) ? shorter : route, positional, options);
    return (path === "" ? "/" : path) + queryOf(options);
  }

  /** Fast path: a route without parameters, as most names in a layout are. */
  #plain(owner: string | undefined, { segments }: PathRoute, request: PathRequest | undefined): string {
    const prefix = owner === undefined || owner === "" ? "" : this.#prefix(owner, request, {});
    return (segments.length === 0 ? prefix : `${prefix}/${segments.join("/")}`) || "/";
  }

  #prefix(owner: string, request: PathRequest | undefined, options: Values): string {
    if (request?.engine?.name === owner && !request.engine.prefixParameters.some((name) => name in options)) {
      return request.mountPath;
    }
    const mount = this.#mounts.find(({ engine }) => engine.name === owner);
    if (!mount) throw errors.FW_ENGINE_NOT_MOUNTED(owner);
    const segments = mount.engine.prefixParameters.map((name) => {
      if (options[name] === undefined) throw errors.FW_ROUTE_ARGUMENT(owner, name);
      const value = segmentOf(options[name], mount.engine.prefixKeys?.[name]);
      delete options[name];
      return `/${value}`;
    });
    return mount.at + segments.join("");
  }

  #helperClass(owner: string): new (request: PathRequest) => PathHelpers {
    const paths = this;
    class Helpers {
      readonly request: PathRequest;
      constructor(request: PathRequest) {
        this.request = request;
      }
    }
    for (const from of owner === "" ? [""] : ["", owner]) {
      for (const name of paths.names(from)) {
        const path = function (this: Helpers, ...args: unknown[]) {
          return paths.path(from, name, args, this.request);
        };
        const url = function (this: Helpers, ...args: unknown[]) {
          return publicOrigin(this.request, from) + paths.path(from, name, args, this.request);
        };
        Object.assign(Helpers.prototype, { [`${name}_path`]: path, [`${name}_url`]: url });
      }
    }
    return Helpers as unknown as new (
      request: PathRequest,
    ) => PathHelpers;
  }
}

/** The origin of links that leave a request: of its tenant where tenants have hosts, else APP_URL, else the request's own. */
export function publicOrigin(request: PathRequest, owner = request.engine?.name ?? ""): string {
  const { engine, settings, origin } = request;
  const tenant = engine?.name === owner ? request.controller?.currentScopedEntity : undefined;
  if (tenant && engine?.tenantOrigin) return engine.tenantOrigin(tenant, request as RequestContext);
  return settings.appUrl?.origin ?? origin;
}

/** Options are plain objects; a record is an instance of a class. */
function isOptions(value: unknown): value is Values {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a parameter has no value, neither by name nor by position. */
function lacksArguments({ parameters }: PathRoute, positional: unknown[], options: Values): boolean {
  const unnamed = parameters.filter((name) => options[name] === undefined || options[name] === null);
  return unnamed.length > positional.length;
}

function fill(route: PathRoute, positional: unknown[], options: Values): string {
  let path = "";
  for (const segment of route.segments) {
    if (!segment.startsWith(":")) {
      path += `/${segment}`;
      continue;
    }
    const name = segment.slice(1);
    const value = name in options ? options[name] : positional.shift();
    delete options[name];
    if (value === undefined || value === null) throw errors.FW_ROUTE_ARGUMENT(route.name ?? route.pattern, name);
    path += `/${segmentOf(value, route.keys?.[name])}`;
  }
  return path;
}

/** A value as a segment; of a record the column that names it, or where that is empty its `toParam()` or id. */
function segmentOf(value: unknown, column?: string): string {
  if (typeof value !== "object" || value === null) return encodeURIComponent(String(value));
  const record = value as { id?: unknown; toParam?(): unknown } & Record<string, unknown>;
  const own = column === undefined ? undefined : record[column];
  return encodeURIComponent(String(own ?? record.toParam?.() ?? record.id ?? value));
}

/** `{ q: "x", filter: { status: "open" } }` → `?q=x&filter%5Bstatus%5D=open` */
export function queryOf(values: Values): string {
  const parts: string[] = [];
  const add = (name: string, value: unknown) => {
    if (value === undefined || value === null) return;
    if (typeof value === "object") {
      for (const [key, entry] of Object.entries(value)) add(`${name}[${Array.isArray(value) ? "" : key}]`, entry);
    } else parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}
