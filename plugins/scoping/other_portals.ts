import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import {
  type Application,
  type BaseController,
  type ControllerClass,
  type Engine,
  localeOf,
  type RequestContext,
} from "framewright/host";
import { portalLabel } from "framewright/plugins/portals";

/** A portal that the person may enter. */
export interface PortalLink {
  readonly label: string;
  readonly url: string;
}
type Mount = Application["mounts"][number];

const MAX_REDIRECTS = 3;
/** What a scoped portal answers to a probe, where the person may enter a tenant. */
export const OPEN = 204;

/**
 * The other portals that open to the person, by their labels: those that are public or of the same account type, and
 * whose root answers this browser with a page. So none is listed that would answer 403, 404 or another sign-in.
 */
export async function otherPortals(application: Application, controller: BaseController): Promise<PortalLink[]> {
  const { request } = controller;
  const own = authenticationOf(controller.constructor);
  const mounts = new Map<Engine, Mount>();
  for (const mount of application.mounts) {
    const { engine } = mount;
    if (engine === request.engine || engine.definition.kind !== "portal" || mounts.has(engine)) continue;
    if (isOfSameAccounts(authenticationOf(rootController(application, engine)), own)) mounts.set(engine, mount);
  }
  const asked = [...mounts.values()].map(async ({ engine, at }) =>
    (await opens(application, request, at)) ? [{ label: portalLabel(engine, request), url: at }] : [],
  );
  return (await Promise.all(asked)).flat().sort((a, b) => localeOf(request.locale).compare(a.label, b.label));
}

type Authenticated = Pick<typeof BaseController, "authentication">;
const authenticationOf = (controller: unknown) => (controller as Authenticated | undefined)?.authentication;

/** Whether the person is known there by the sign-in of here, or nobody has to be known. */
function isOfSameAccounts(there: Authenticated["authentication"], here: Authenticated["authentication"]): boolean {
  if (there?.mode === "public") return true;
  return there?.account !== undefined && there.account === here?.account && there.mode === here.mode;
}

/** The controller of a portal's root; undefined for a portal without one. */
function rootController(application: Application, engine: Engine): ControllerClass | undefined {
  const routes = application.routeSets.get(engine.name)?.routes ?? [];
  const route = engine.entry ?? routes.find(({ verb, pattern }) => verb === "GET" && pattern === "/");
  if (!route) return undefined;
  return typeof route.controller === "function" ? route.controller : application.controllerOf(route, engine);
}

/** Whether a portal's root answers with a page, at once or by redirects within the portal. */
async function opens(application: Application, request: RequestContext, at: string): Promise<boolean> {
  let url = at;
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const { status, headers } = await application.answer(probe(request, url));
    if (status === OPEN || (status === 200 && /^text\/html\b/.test(String(headers["content-type"])))) return true;
    const location = String(headers.location ?? "");
    if (status < 300 || status >= 400 || !location.startsWith(`${at}/`)) return false;
    url = location;
  }
  return false;
}

const probes = new WeakSet<IncomingMessage>();
/** Whether another portal asks whether this one opens: the answer is a status, and lists no portals itself. */
export const isProbe = ({ raw }: RequestContext): boolean => probes.has(raw);

/** Headers of the request that are about itself, and not about who sends it. */
const OWN_HEADERS = /^(content-|transfer-|if-|range$|turbo-frame$|sec-purpose$)/;

/** A request for another page by the same browser, as a prefetch: it must have no side effects. */
function probe({ raw }: RequestContext, url: string): IncomingMessage {
  const kept = Object.entries(raw.headers).filter(([name]) => !OWN_HEADERS.test(name));
  const headers = { ...Object.fromEntries(kept), accept: "text/html", "sec-purpose": "prefetch" };
  const { socket, httpVersion } = raw;
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const message = Object.assign(Readable.from([]), { method: "GET", url, headers, rawHeaders, socket, httpVersion });
  const incoming = Object.assign(message, { complete: true }) as unknown as IncomingMessage;
  probes.add(incoming);
  return incoming;
}
