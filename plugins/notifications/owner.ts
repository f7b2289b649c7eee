import type { BaseController } from "framewright/host";
import { BaseModel, type ModelClass } from "framewright/plugins/database";

/** Whose notifications they are, as they are stored: a record's table and id; `tenant` as `organizations/7`. */
export interface Owner {
  readonly owner_type: string;
  readonly owner_id: string;
}
/** The notifications of a page: those of the account that are of its tenant or of none. */
export interface Place extends Owner {
  readonly tenant: string | null;
}

export const ownerOf = (account: BaseModel): Owner => ({
  owner_type: (account.constructor as ModelClass).tableName,
  owner_id: String(account.$id()),
});

/** The tenant as it is stored; null for none. */
export const tenantKey = (tenant: object | undefined): string | null =>
  tenant instanceof BaseModel ? `${(tenant.constructor as ModelClass).tableName}/${tenant.$id()}` : null;

/** The notifications that the person of a request may see here; undefined for guests, accounts that are no records, and people who act for the person. */
export function placeOf({ currentUser, currentScopedEntity, request }: BaseController): Place | undefined {
  if (request.actorFor(currentUser)) return undefined;
  if (!((currentUser as unknown) instanceof BaseModel)) return undefined;
  return { ...ownerOf(currentUser as unknown as BaseModel), tenant: tenantKey(currentScopedEntity) };
}
