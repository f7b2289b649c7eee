import type { Application, Engine, RequestContext } from "framewright/host";
import type {} from "framewright/plugins/layout";
import { type PortalShell, portalShell, rootAuthentication } from "framewright/plugins/portals";
import type { AccountType } from "./account_type.ts";

const SESSION_KEY = "account_portals";
/** Longer paths of portals are not stored: the session is a cookie. */
const MAX_PATH_CHARS = 200;

type Mount = Application["mounts"][number];
const applicationOf = ({ services }: AccountType) => services.host as Application;

/** Module-level: found by an account type, of which each application has its own. */
const entered = new WeakMap<AccountType, readonly Mount[]>();
/** The portals whose root the account type signs in to; found once. */
function portalsOf(type: AccountType): readonly Mount[] {
  const known = entered.get(type);
  if (known) return known;
  const host = applicationOf(type);
  const isEntered = (engine: Engine) => {
    const { mode, account } = (engine.definition.kind === "portal" && rootAuthentication(host, engine)) || {};
    return mode === "authlib" && account === type.name;
  };
  const found = host.mounts.filter(({ engine }) => isEntered(engine));
  entered.set(type, found);
  return found;
}

/** The address of the account's page, as a portal's menu has it: it names the portal that the person came from, where that is not the only one. */
export function accountUrl(type: AccountType, { engine, mountPath }: RequestContext): string {
  const url = type.path("account");
  const portals = engine === undefined ? [] : portalsOf(type);
  const isOnly = portals.length === 1 && portals[0]!.at === mountPath;
  return portals.length === 0 || isOnly ? url : `${url}?from=${encodeURIComponent(mountPath || "/")}`;
}

/**
 * The shell of the portal that the person came from: the one that `from` names, which is stored in the session, else the only
 * one of the account type. The path must be that of a portal of this account type, and the portal's first page has to be
 * shown to the person; else there is none.
 */
export async function accountShell(type: AccountType, request: RequestContext): Promise<PortalShell | undefined> {
  if (request.format === "json" || request.isJson || request.frame !== undefined) return undefined;
  const portals = portalsOf(type);
  const only = portals.length === 1 ? portals[0]!.at : undefined;
  const at = placeOf(type, request) ?? only;
  if (at === undefined) return undefined;
  const shell = await portalShell(applicationOf(type), request, at);
  return shell ?? (only === undefined || only === at ? undefined : portalShell(applicationOf(type), request, only));
}

/** The path of the portal that the person came from, by the address or the session. */
function placeOf(type: AccountType, request: RequestContext): string | undefined {
  const kept = (request.session.get(SESSION_KEY) ?? {}) as Record<string, string>;
  const named = portalPath(type, request, request.query.get("from"));
  if (named === undefined) return portalPath(type, request, kept[type.name]);
  if (named !== kept[type.name] && request.method === "GET" && !request.isSpeculative)
    request.session.setExpendable(SESSION_KEY, { ...kept, [type.name]: named });
  return named;
}

/** A path of a portal of the account type, with its tenant where it has one; undefined for anything else. */
function portalPath(type: AccountType, request: RequestContext, given: unknown): string | undefined {
  const path = request.safeLocation(given);
  if (path === undefined || path.length > MAX_PATH_CHARS || /[?#]/.test(path)) return undefined;
  const bare = path === "/" ? "" : path;
  const isOf = ({ engine, at }: Mount) => {
    if (bare !== at && !bare.startsWith(`${at}/`)) return false;
    return bare.slice(at.length).split("/").length - 1 === engine.prefixParameters.length;
  };
  return portalsOf(type).some(isOf) ? path : undefined;
}

/** The layout of the shell; undefined where pages have none. */
export const shellLayout = ({ kernel }: RequestContext): string | undefined =>
  kernel.has("layout") ? kernel.service("layout").choose({ host: "portal" }) : undefined;
