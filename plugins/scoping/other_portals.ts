import { type Application, type BaseController, type Engine, localeOf, type RequestContext } from "framewright/host";
import { portalLabel, probePortal, rootAuthentication } from "framewright/plugins/portals";

/** A portal that the person may enter. */
export interface PortalLink {
  readonly label: string;
  readonly url: string;
}
type Mount = Application["mounts"][number];
type Authentication = ReturnType<typeof rootAuthentication>;

/** What a scoped portal answers to a probe, where the person may enter a tenant. */
export const OPEN = 204;

/**
 * The other portals that open to the person, by their labels: those that are public or of the same account type, and
 * whose root answers this browser with a page. So none is listed that would answer 403, 404 or another sign-in.
 */
export async function otherPortals(application: Application, controller: BaseController): Promise<PortalLink[]> {
  const { request } = controller;
  const asked = portalsInQuestion(application, controller).map(async ({ engine, at }) =>
    (await opens(application, request, at)) ? [{ label: portalLabel(engine, request), url: at || "/" }] : [],
  );
  return (await Promise.all(asked)).flat().sort((a, b) => localeOf(request.locale).compare(a.label, b.label));
}

/** The other portals that are public or of the account type of a controller. */
function portalsInQuestion(application: Application, controller: BaseController): Mount[] {
  const { request } = controller;
  const own = (controller.constructor as typeof BaseController).authentication;
  const mounts = new Map<Engine, Mount>();
  for (const mount of application.mounts) {
    const { engine } = mount;
    if (engine === request.engine || engine.definition.kind !== "portal" || mounts.has(engine)) continue;
    if (isOfSameAccounts(rootAuthentication(application, engine), own)) mounts.set(engine, mount);
  }
  return [...mounts.values()];
}

/** Module-level: found by an engine, of which each application has its own. */
const known = new WeakMap<Engine, boolean>();
/** Whether there are other portals that may open to the people of a portal; found once. */
export function hasOtherPortals(application: Application, controller: BaseController): boolean {
  const engine = controller.request.engine as Engine;
  const found = known.get(engine) ?? portalsInQuestion(application, controller).length > 0;
  known.set(engine, found);
  return found;
}

/** Whether the person is known there by the sign-in of here, or nobody has to be known. */
function isOfSameAccounts(there: Authentication, here: Authentication): boolean {
  if (there?.mode === "public") return true;
  return there?.account !== undefined && there.account === here?.account && there.mode === here.mode;
}

/** Whether a portal's root answers with a page, at once or by redirects within the portal. */
async function opens(application: Application, request: RequestContext, at: string): Promise<boolean> {
  const { reply } = (await probePortal(application, request, at)) ?? {};
  return (
    reply?.status === OPEN || (reply?.status === 200 && /^text\/html\b/.test(String(reply.headers["content-type"])))
  );
}
