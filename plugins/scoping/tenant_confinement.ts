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
import { applyTenantPath, keysOfTenant, type Tenant } from "./apply_tenant_path.ts";
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
  const tenant: Tenant = { database, model, entity };
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
    const isGiven = dropExpression(record, field.foreignKey) || field.foreignKey in record;
    if (isNew || isGiven) record[field.foreignKey] = tenant.entity.$id();
    return;
  }
  const hop = path.hops[0];
  if (!hop || hop.from.column === target.primaryKey || hop.from.table !== target.table) return;
  const foreign = () => new ValidationError(target.constant, { [hop.from.column]: [problem("required")] });
  if (dropExpression(record, hop.from.column)) throw foreign(); // an SQL expression can't be checked
  const key = record[hop.from.column];
  if (key === null || key === undefined) return;
  const keys = keysOfTenant(path, tenant).andWhere(`${hop.to.table}.${hop.to.column}`, key as number);
  const [found] = await keys.limit(1).transacting(written.transaction as never);
  if (!found) throw foreign();
}
