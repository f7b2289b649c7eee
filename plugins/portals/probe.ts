import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Application, BaseController, ControllerClass, Engine, Reply, RequestContext } from "framewright/host";

const MAX_REDIRECTS = 3;

/** What a portal answered to a probe, with the request that was answered. */
export interface Probed {
  readonly raw: IncomingMessage;
  readonly reply: Reply;
}

/**
 * Requests a portal's page as the browser of a request would, as a prefetch: account, tenant and before-actions decide as
 * they do for the person, and nothing is changed. Follows redirects within the portal; undefined where one leads out of it.
 */
export async function probePortal(
  application: Application,
  request: RequestContext,
  at: string,
): Promise<Probed | undefined> {
  let url = at || "/";
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const raw = probe(request, url);
    const reply = await application.answer(raw);
    if (reply.status < 300 || reply.status >= 400) return { raw, reply };
    url = String(reply.headers.location ?? "");
    if (!url.startsWith(`${at}/`)) return undefined;
  }
  return undefined;
}

/** Module-level: marks a request of no client, and goes with it. */
const probes = new WeakSet<IncomingMessage>();
/** Whether another page requests what this one answers: nobody is shown the answer. */
export const isProbe = ({ raw }: RequestContext): boolean => probes.has(raw);

/** Headers of the request that are about itself, and not about its sender. */
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

/** How a portal's root authenticates; undefined for a portal without a root. */
export function rootAuthentication(
  application: Application,
  engine: Engine,
): (typeof BaseController)["authentication"] | undefined {
  const routes = application.routeSets.get(engine.name)?.routes ?? [];
  const route = engine.entry ?? routes.find(({ verb, pattern }) => verb === "GET" && pattern === "/");
  if (!route) return undefined;
  const controller: ControllerClass | undefined =
    typeof route.controller === "function" ? route.controller : application.controllerOf(route);
  return (controller as typeof BaseController | undefined)?.authentication;
}
