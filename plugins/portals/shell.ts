import type { IncomingMessage } from "node:http";
import type { Application, PageLocals, RequestContext } from "framewright/host";
import type { NavigationGroup, NavigationItem } from "./navigation.ts";
import { probePortal } from "./probe.ts";

/** What the layout of a portal's page shows around it, as its template variables; `portal.root_url` leads back to it. */
export interface PortalShell extends PageLocals {
  readonly portal: { readonly name: string; readonly label: string; readonly root_url: string };
}

/** The template variables that are the portal's, and not those of one of its pages. */
const ofPortal = [
  "portal",
  "brand",
  "user_menu",
  "search_url",
  "keys_url",
  "switch_url",
  "current_scoped_entity",
  "current_membership",
];

/** Module-level: found by a request, and freed with it. */
const pages = new WeakMap<IncomingMessage, PageLocals>();
/** Stores what the page of a probe is given: the plugins that are called later add to it. */
export const keepLocals = ({ raw }: RequestContext, locals: PageLocals): void => void pages.set(raw, locals);

/**
 * The shell of a portal, for a page outside of it: what the portal's first page shows to the browser of a request.
 * `at` is the portal's path, with the tenant where it has one: `/customer/7`. Undefined where that page would not be shown.
 */
export async function portalShell(
  application: Application,
  request: RequestContext,
  at: string,
): Promise<PortalShell | undefined> {
  const probed = await probePortal(application, request, at);
  const locals = probed?.reply.status === 200 ? pages.get(probed.raw) : undefined;
  if (!locals?.portal) return undefined;
  const taken = Object.fromEntries(ofPortal.map((name) => [name, locals[name]]));
  return { ...taken, navigation: inactive(locals.navigation as Lines) } as unknown as PortalShell;
}

type Lines = readonly (NavigationItem | NavigationGroup)[];
const inactive = (lines: Lines = []): Lines =>
  lines.map((line) =>
    "items" in line
      ? { ...line, items: line.items.map((item) => ({ ...item, active: false })) }
      : { ...line, active: false },
  );
