import { type BaseController, forbidden } from "framewright/host";

/** The columns by which a row is a person's: at a resource, in a portal and a tenant. */
export interface RowOwner {
  readonly resource: string;
  readonly portal: string | null;
  readonly owner_type: string;
  readonly owner_id: string;
  readonly tenant: string | null;
}

/** A record of a model, as far as rows name it. */
interface Stored {
  $id?(): unknown;
  readonly id?: unknown;
}
const tableOf = (record: object): string | undefined => (record.constructor as { tableName?: string }).tableName;

/**
 * What makes a row the request's person's, at a resource by its constant: `rowOwner(controller, "Blogging::Post")`.
 * @throws HttpError 403 for guests
 */
export function rowOwner(controller: BaseController, resource: string): RowOwner {
  const { currentUser: user, currentScopedEntity: tenant, request } = controller;
  const id = accountId(user);
  if (id === undefined) throw forbidden();
  const by = request.actorFor(user) ? ` by ${request.acting!.actorName}` : ""; // rows of the person stay untouched
  const { authentication } = controller.constructor as typeof BaseController;
  return {
    resource,
    portal: request.engine?.name ?? null,
    owner_type: `${authentication?.mode ?? "open"} ${authentication?.account ?? tableOf(user!) ?? ""}${by}`,
    owner_id: id,
    tenant: tenantKey(tenant),
  };
}

/** The id by which an account is found again; undefined for guests, and for accounts without one. */
export function accountId(user: object | undefined): string | undefined {
  const { $id, id } = (user ?? {}) as Stored;
  const found = typeof $id === "function" ? $id.call(user) : id;
  return typeof found === "number" || typeof found === "string" || typeof found === "bigint"
    ? String(found)
    : undefined;
}

/** The tenant as such rows store it. */
export const tenantKey = (tenant: object | undefined): string | null =>
  typeof (tenant as Stored | undefined)?.$id !== "function"
    ? null
    : `${tableOf(tenant!)}/${(tenant as Required<Stored>).$id()}`;
