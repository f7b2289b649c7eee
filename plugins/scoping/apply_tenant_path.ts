import type { BaseModel, Database, Hop, Knex, ModelInfo, Query } from "framewright/plugins/database";
import { scopeName, type Way } from "./tenant_path.ts";

type Id = number | string;
/** Whose records are looked for. */
export interface Tenant {
  readonly database: Database;
  readonly model: ModelInfo;
  readonly entity: BaseModel;
}
/** What a query builder of knex and one of objection have in common. */
interface Conditions {
  where(column: string, value: Id): unknown;
  whereIn(column: string, values: never): unknown;
}

/** Narrows a query of a model to the records that belong to a tenant. */
export function reach(group: Query<BaseModel>, table: string, way: Way, tenant: Tenant): void {
  if (way.hops.length > 0) follow(group as unknown as Conditions, way, 0, tenant, table);
  else if (way.scoped) ownScope(group, way.scoped, tenant);
  else group.where(`${table}.id`, tenant.entity.$id() as Id);
}

/** Table by table in sub-queries of their own, so that no table's name is mistaken for another's. */
function follow(at: Conditions, way: Way, index: number, tenant: Tenant, table?: string): void {
  const { from, to } = way.hops[index] as Hop;
  const column = `${table ?? from.table}.${from.column}`;
  const last = index === way.hops.length - 1;
  if (last && !way.scoped && to.column === "id") at.where(column, tenant.entity.$id() as Id);
  else at.whereIn(column, next(way, index, tenant) as never);
}

/** The keys that the first association of a way may lead to. */
export const keysOf = (way: Way, tenant: Tenant): Knex.QueryBuilder => next(way, 0, tenant);

/** The keys of the next table's records that belong to the tenant. */
function next(way: Way, index: number, tenant: Tenant): Knex.QueryBuilder {
  const { to } = way.hops[index] as Hop;
  const key = `${to.table}.${to.column}`;
  const last = index === way.hops.length - 1;
  if (last && way.scoped) return scopedKeys(key, way.scoped, tenant);
  const keys = tenant.database.knex(to.table).select(key);
  if (last) keys.where(`${to.table}.id`, tenant.entity.$id() as Id);
  else follow(keys, way, index + 1, tenant);
  return keys;
}

function scopedKeys(key: string, scoped: ModelInfo, tenant: Tenant): Knex.QueryBuilder {
  const query = tenant.database.query(scoped.class);
  query.where((group) => ownScope(group as unknown as Query<BaseModel>, scoped, tenant));
  return query.select(key).toKnexQuery();
}

function ownScope(group: Query<BaseModel>, scoped: ModelInfo, { model, entity }: Tenant): unknown {
  const scope = scoped.class.scopes[scopeName(model)] as unknown as (
    query: Query<BaseModel>,
    entity: BaseModel,
  ) => unknown;
  return scope(group, entity);
}
