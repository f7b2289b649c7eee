import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { badRequest, methodNotAllowed, notFound } from "../errors.ts";
import { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import { passConstraint } from "./admission.ts";
import { type CompiledRoute, compileRoute } from "./compiled_route.ts";
import { type Verb, verbs } from "./route.ts";
import type { Mount, RouteSet } from "./route_set.ts";
import { type Match, RouteTable } from "./route_table.ts";

/** The routes of one path pattern, by HTTP method. */
export interface RoutesByMethod {
  readonly methods: Map<Verb, CompiledRoute>;
}
/** A mount with its compiled routes. */
export interface MountedEngine extends Mount {
  readonly table: RouteTable<RoutesByMethod>;
  /** The route of the bare mount, where its prefix needs a parameter that is missing. */
  readonly entry: CompiledRoute | undefined;
  /** What answers an unknown page below the mount. */
  readonly unknownPage: CompiledRoute | undefined;
}

/** Compiles a route set into a table. */
export function buildTable(
  application: ApplicationContext,
  set: RouteSet,
  engine: Engine | undefined,
): RouteTable<RoutesByMethod> {
  const table = new RouteTable<RoutesByMethod>();
  for (const route of set.routes) {
    const leaf = table.add(route.segments, () => ({ methods: new Map() }));
    leaf.methods.set(route.verb, compileRoute(application, route, engine));
  }
  return table;
}

function allowOf({ methods }: RoutesByMethod): string {
  const allowed = verbs
    .filter((verb) => methods.has(verb))
    .flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb]));
  return [...allowed, "OPTIONS"].join(", ");
}

/** Finds the route of a request: in the main table first, then in the mounts in the order in which they were drawn. */
export class Router {
  readonly #main: RouteTable<RoutesByMethod>;
  readonly #mounts: readonly MountedEngine[];

  constructor(main: RouteTable<RoutesByMethod>, mounts: readonly MountedEngine[]) {
    this.#main = main;
    this.#mounts = mounts;
  }

  async dispatch(request: RequestContext): Promise<Reply> {
    const found = this.#main.find(request.path.slice(1));
    if (found) return runMatch(found, request);
    let refusal: Reply | undefined;
    let unknown: (() => Promise<Reply>) | undefined;
    for (const mount of this.#mounts) {
      const inside = matchMount(mount, request.path);
      if (!inside) continue;
      if (mount.constraint) {
        const answer = await passConstraint(mount, request);
        if (answer !== true) {
          refusal ??= answer;
          continue;
        }
      }
      if (!inside.match) {
        unknown ??= unknownPageOf(mount, inside, request);
        continue;
      }
      request.engine = mount.engine;
      request.mountPath = inside.mountPath;
      return runMatch(inside.match, request, inside.values);
    }
    return refusal ?? this.#withoutSlash(request) ?? unknown?.() ?? Promise.reject(notFound());
  }

  /** Redirects `/posts/` to `/posts` where that route exists. */
  #withoutSlash(request: RequestContext): Reply | undefined {
    const { path, method } = request;
    if (path === "/" || !path.endsWith("/") || (method !== "GET" && method !== "HEAD")) return undefined;
    const bare = path.slice(0, -1);
    const drawn = this.#main.find(bare.slice(1)) ?? this.#mounts.some((mount) => matchMount(mount, bare)?.match);
    return drawn ? new Reply(301, "", { location: bare + (request.search ? `?${request.search}` : "") }) : undefined;
  }
}

interface MountMatch {
  match: Match<RoutesByMethod> | undefined;
  mountPath: string;
  values: string[];
}

/** Strips a mount's prefix, parameters included, and looks up the rest; undefined when the path is not below the mount. */
function matchMount({ at, engine, table, entry }: MountedEngine, path: string): MountMatch | undefined {
  if (!path.startsWith(at) || (path.length > at.length && path[at.length] !== "/")) return undefined;
  let end = at.length;
  const values: string[] = [];
  for (const _ of engine.prefixParameters) {
    if (end >= path.length - 1) return { match: entry && entryMatch(entry), mountPath: at, values };
    const next = path.indexOf("/", end + 1);
    const stop = next < 0 ? path.length : next;
    values.push(path.slice(end + 1, stop));
    end = stop;
  }
  return { match: table.find(path.slice(end + 1)), mountPath: path.slice(0, end), values };
}

/** Answers a page that no route has within the engine's own pages, for who has a session; undefined for others. */
function unknownPageOf(
  { engine, unknownPage }: MountedEngine,
  { mountPath, values }: MountMatch,
  request: RequestContext,
): (() => Promise<Reply>) | undefined {
  if (!unknownPage || values.length < engine.prefixParameters.length) return undefined;
  if ((request.method !== "GET" && request.method !== "HEAD") || request.format !== "html") return undefined;
  return async () => {
    await request.openSession();
    if (!request.carriesSession) throw notFound();
    request.engine = engine;
    request.mountPath = mountPath;
    return runMatch(entryMatch(unknownPage), request, values);
  };
}

function entryMatch(entry: CompiledRoute): Match<RoutesByMethod> {
  return { leaf: { methods: new Map([[entry.route.verb, entry]]) }, values: [] };
}

const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

async function runMatch(
  { leaf, values }: Match<RoutesByMethod>,
  request: RequestContext,
  prefix: string[] = [],
): Promise<Reply> {
  if (request.method === "OPTIONS") return new Reply(204, "", { allow: allowOf(leaf) });
  const verb = request.method === "HEAD" ? "GET" : request.method;
  const takesBody = verb !== "GET";
  if (takesBody && (leaf.methods.has(verb as Verb) || verb === "POST")) {
    await request.readBody();
    if (verb === "POST" && formTypes.test(request.header("content-type") ?? "")) overrideMethod(request);
  }
  const route = leaf.methods.get((request.method === "HEAD" ? "GET" : request.method) as Verb);
  if (!route) throw methodNotAllowed(allowOf(leaf));
  const opening = request.openSession();
  if (opening) await opening;
  if (route.route.constraint) {
    const answer = await passConstraint(route.route, request);
    if (answer !== true) return answer;
  }
  request.route = route.route;
  request.routeParams = decode(route.parameters, prefix.length > 0 ? [...prefix, ...values] : values);
  return route.run(request);
}

/** Browsers send only GET and POST: a form names another verb in `_method`. */
function overrideMethod(request: RequestContext): void {
  const meant = request.body.get("_method");
  if (meant === undefined) return;
  const verb = typeof meant === "string" ? meant.toUpperCase() : undefined;
  if (verb !== "POST" && verb !== "PUT" && verb !== "PATCH" && verb !== "DELETE")
    throw badRequest("_method is not understood.");
  request.method = verb;
}

/** What decoding leaves as it is: most ids and slugs. */
const PLAIN = /^[\w-]+$/;

function decode(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (let index = 0; index < values.length; index++) {
    const text = values[index]!;
    params[names[index]!] = PLAIN.test(text) ? text : decoded(text);
  }
  return params;
}

function decoded(text: string): string {
  try {
    const value = decodeURIComponent(text);
    if (value.includes("\0") || value === "." || value === "..") throw new URIError();
    return value;
  } catch {
    throw badRequest("the path is malformed.");
  }
}
