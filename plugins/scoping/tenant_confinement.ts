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
import { keysOf, reach, type Tenant } from "./apply_tenant_path.ts";
import { errors } from "./errors.ts";
import type { Scopes } from "./service.ts";

/** A query that is handed out in a scoped portal stays within the tenant. @throws FW_SCOPE_CLOSED, FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS */
export function confineToTenant(scopes: Scopes, { query, model, place }: HandedQuery): void {
  if (!place.isScoped) return;
  const rule = scopes.ruleOf(place.portal);
  const entity = place.entity as BaseModel | undefined;
  const isTenant = rule ? entity instanceof rule.entity.class : entity?.$id?.() !== undefined;
  if (!isTenant || !entity)
    throw errors.FW_SCOPE_CLOSED(
      place.portal ?? "a portal",
      rule?.entity.constant ?? "tenants",
      `${model.constant} was asked for`,
    );
  confine(query, within(scopes, entity, model));
}

/** What one tenant may see and write. @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS for a model that does not lead to it */
export function within(scopes: Scopes, entity: BaseModel, asked: ModelInfo): Confinement {
  const { database } = scopes;
  const model = scopes.database.model(entity.constructor as ModelClass);
  const tenant: Tenant = { database, model, entity };
  scopes.way(asked, model);
  return {
    narrow(group, target, table, isRoot) {
      const way = isRoot ? scopes.way(target, model) : scopes.wayOrNone(target, model);
      if (way) reach(group, table, way, tenant);
    },
    write: (record, target, transaction, isNew) => setTenantOf(scopes, tenant, { record, target, transaction, isNew }),
  };
}

interface Written {
  record: BaseModel;
  target: ModelInfo;
  transaction: Transaction;
  isNew: boolean;
}

/** A record that is written belongs to the tenant, or is below something that does. @throws FW_SCOPE_INSERT, ValidationError */
async function setTenantOf(scopes: Scopes, tenant: Tenant, written: Written): Promise<void> {
  const { target, isNew } = written;
  const record = written.record as BaseModel & Record<string, unknown>;
  if (target === tenant.model && isNew) throw errors.FW_SCOPE_INSERT(target.constant);
  const way = scopes.wayOrNone(target, tenant.model);
  if (!way) return;
  const field = scopes.field(target, tenant.model);
  if (field?.kind === "belongsTo") {
    const isGiven = dropExpression(record, field.foreignKey) || field.foreignKey in record;
    if (isNew || isGiven) record[field.foreignKey] = tenant.entity.$id();
    return;
  }
  const hop = way.hops[0];
  if (!hop || hop.from.column === "id" || hop.from.table !== target.table) return;
  const foreign = () => new ValidationError(target.constant, { [hop.from.column]: [problem("required")] });
  if (dropExpression(record, hop.from.column)) throw foreign(); // nobody can say where it leads
  const key = record[hop.from.column];
  if (key === null || key === undefined) return;
  const keys = keysOf(way, tenant).andWhere(`${hop.to.table}.${hop.to.column}`, key as number);
  const [found] = await keys.limit(1).transacting(written.transaction as never);
  if (!found) throw foreign();
}
