import { type BaseController, forbidden } from "framewright/host";
import { BaseModel, type ModelClass } from "framewright/plugins/database";
import type { ResourceRequest } from "../request.ts";

/** The columns by which a row is a person's: at a resource, in a portal and a tenant. */
export interface RowOwner {
  readonly resource: string;
  readonly portal: string | null;
  readonly owner_type: string;
  readonly owner_id: string;
  readonly tenant: string | null;
}

/** What makes a row the request's person's. @throws HttpError 403 for guests */
export function rowOwner(controller: ResourceRequest): RowOwner {
  const { currentUser: user, currentScopedEntity: tenant, registration, request } = controller;
  const id = accountId(user);
  if (id === undefined) throw forbidden();
  const { authentication } = controller.constructor as typeof BaseController;
  const table = user instanceof BaseModel ? (user.constructor as ModelClass).tableName : "";
  return {
    resource: registration.constant,
    portal: request.engine?.name ?? null,
    owner_type: `${authentication?.mode ?? "open"} ${authentication?.account ?? table}`,
    owner_id: id,
    tenant: tenantKey(tenant),
  };
}

/** The id by which an account is found again; undefined for guests, and for accounts without one. */
export function accountId(user: object | undefined): string | undefined {
  const id = user instanceof BaseModel ? user.$id() : (user as { id?: unknown } | undefined)?.id;
  return typeof id === "number" || typeof id === "string" || typeof id === "bigint" ? String(id) : undefined;
}

/** The tenant as such rows store it. */
export const tenantKey = (tenant: object | undefined): string | null =>
  tenant instanceof BaseModel ? `${(tenant.constructor as ModelClass).tableName}/${tenant.$id()}` : null;
