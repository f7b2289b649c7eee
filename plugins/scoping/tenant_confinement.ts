import {
  type BaseModel,
  type Confinement,
  confine,
  dropExpression,
  type HandedQuery,
  type ModelClass,
  type ModelInfo,
  problem,
  type Transaction,
  ValidationError,
} from "framewright/plugins/database";
import { applyTenantPath, type Id, keysOfTenant, type Tenant } from "./apply_tenant_path.ts";
import { errors } from "./errors.ts";
import type { ScopingService } from "./service.ts";

/** Confines a query of a scoped portal to the tenant. @throws FW_SCOPE_CLOSED, FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS */
export function confineToTenant(scopes: ScopingService, { query, model, place }: HandedQuery): void {
  if (!place.isScoped) return;
  const rule = scopes.ruleOf(place.portal);
  const entity = place.entity as BaseModel | undefined;
  const isTenant = rule ? entity instanceof rule.entity.class : entity?.$id?.() !== undefined;
  if (!isTenant || !entity)
    throw errors.FW_SCOPE_CLOSED(
      place.portal ?? "a portal",
      rule?.entity.constant ?? "tenants",
      `${model.constant} is queried`,
    );
  confine(query, confinementOf(scopes, entity, model));
}

/** The confinement of queries to one tenant. @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS for a model that does not lead to it */
export function confinementOf(scopes: ScopingService, entity: BaseModel, asked: ModelInfo): Confinement {
  const { database } = scopes;
  const model = scopes.database.model(entity.constructor as ModelClass);
  const tenant: Tenant = { database, model, key: entity.$id() as Id, entity };
  scopes.tenantPath(asked, model);
  return {
    narrow(group, target, table, isRoot) {
      const path = isRoot ? scopes.tenantPath(target, model) : scopes.findTenantPath(target, model);
      if (path) applyTenantPath(group, table, path, tenant);
    },
    write: (record, target, transaction, isNew) => setTenantOf(scopes, tenant, { record, target, transaction, isNew }),
  };
}

interface TenantWrite {
  record: BaseModel;
  target: ModelInfo;
  transaction: Transaction;
  isNew: boolean;
}

/** Sets the tenant of a written record, or checks that its parent belongs to the tenant. @throws FW_SCOPE_INSERT, ValidationError */
async function setTenantOf(scopes: ScopingService, tenant: Tenant, written: TenantWrite): Promise<void> {
  const { target, isNew } = written;
  const record = written.record as BaseModel & Record<string, unknown>;
  if (target === tenant.model && isNew) throw errors.FW_SCOPE_INSERT(target.constant);
  const path = scopes.findTenantPath(target, tenant.model);
  if (!path) return;
  const field = scopes.tenantField(target, tenant.model);
  if (field?.kind === "belongsTo") {
    const column = field.key.column!;
    const isGiven = dropExpression(record, column) || column in record;
    if (isNew || isGiven) record[column] = tenant.key;
    return;
  }
  const hop = path.hops[0];
  const [own] = hop?.from.columns ?? [];
  if (!hop || own === undefined || hop.from.table !== target.table) return;
  if (!hop.toKey || (hop.from.columns.length === 1 && own === target.primaryKey)) return;
  const foreign = () => new ValidationError(target.constant, { [own]: [problem("required")] });
  const dropped = hop.from.columns.filter((column) => dropExpression(record, column));
  if (dropped.length > 0) throw foreign(); // an SQL expression can't be checked
  const given = hop.from.columns.filter((column) => record[column] !== undefined);
  if (given.length === 0 || given.some((column) => record[column] === null)) return;
  if (given.length < hop.from.columns.length) throw foreign(); // what is stored of the others isn't known here
  const keys = keysOfTenant(path, tenant);
  hop.from.columns.forEach((column, at) => {
    keys.andWhere(`${hop.to.table}.${hop.to.columns[at]}`, record[column] as number);
  });
  const [found] = await keys.limit(1).transacting(written.transaction as never);
  if (!found) throw foreign();
}
