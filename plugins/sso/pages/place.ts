import { type BaseController, forbidden, notFound, type Reply, tooManyRequests, unauthorized } from "framewright/host";
import { type AccountType, type AuthlibBase, authlibOf } from "framewright/plugins/authlib";
import { isAtLeast, type MembershipShape, managerRole } from "framewright/plugins/memberships";
import type { OidcClients } from "framewright/plugins/oidc";
import type { Domains } from "../domains/domains.ts";
import { optionsOf, type SsoService } from "../service.ts";
import type { Connections } from "../store/connections.ts";
import { roleIn, ssoTypeOf, tenantIdOf } from "./guard.ts";

/** Below the mount of a portal. */
export const PATH = "/_sso";

/** What the pages work with. */
export interface PageParts {
  readonly service: SsoService;
  readonly types: { find(name: string): AccountType | undefined };
  readonly oidc: OidcClients;
}
/** Who sets up the sign-in of which tenant. */
export interface Place {
  readonly type: AccountType;
  readonly authlib: AuthlibBase;
  readonly tenantId: number;
  readonly role: string;
  readonly shape: MembershipShape;
  readonly domains: Domains;
  readonly connections: Connections;
  /** Whether the person may require the provider of everybody, and change what is required. */
  readonly mayEnforce: boolean;
  /** The address of the page. */
  readonly url: string;
}

/** Where a request sets the sign-in up; undefined for people who may not. */
export function placeOf({ service, types }: PageParts, controller: BaseController): Place | undefined {
  const { request, currentUser } = controller;
  const type = ssoTypeOf(types, controller);
  const [tenantId, role] = [tenantIdOf(controller), roleIn(controller)];
  if (!type || tenantId === undefined || role === undefined || request.actorFor(currentUser)) return undefined;
  const shape = service.shapeOf(type);
  const { configures = managerRole(shape.roles), enforces = shape.roles[0]! } = optionsOf(type);
  const mayEnforce = isAtLeast(shape.roles, role, enforces);
  if (!mayEnforce && !isAtLeast(shape.roles, role, configures)) return undefined;
  return {
    ...{ type, tenantId, role, shape, mayEnforce, url: request.mountPath + PATH },
    authlib: authlibOf(request, type),
    domains: service.domains(type),
    connections: service.connections(type),
  };
}
/** The same. @throws HttpError 401, 404 outside of a tenant, 403 */
export function requirePlace(parts: PageParts, controller: BaseController): Place {
  if (!controller.currentUser) throw unauthorized();
  if (tenantIdOf(controller) === undefined) throw notFound();
  const place = placeOf(parts, controller);
  if (!place) throw forbidden();
  return place;
}
/** @throws HttpError 429 where DNS or providers are used too often */
export async function countCheck({ service }: PageParts, { type, tenantId }: Place): Promise<void> {
  const wait = await service.checks.consume(`${type.name} ${tenantId}`);
  if (wait !== undefined) throw tooManyRequests(wait);
}
/** Back to the page, with a message: a text below `sso`. */
export function back(
  controller: BaseController,
  { url }: Place,
  level: "success" | "error" | "warning",
  key: string,
  vars: Record<string, unknown> = {},
): Reply {
  controller.flash.add(level, controller.t(`sso.${key}`, vars));
  return controller.redirectTo(url);
}
/** The number in an address. @throws HttpError 404 */
export function numberIn(controller: BaseController, name: string): number {
  const text = controller.request.routeParams[name] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}
/** A field of a form as text. */
export function textIn({ request: { body } }: BaseController, name: string): string {
  const value = body.get(name);
  return typeof value === "string" ? value.trim() : "";
}
