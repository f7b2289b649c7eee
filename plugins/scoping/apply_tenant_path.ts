import type { BaseModel, Database, Hop, Knex, ModelInfo, Query } from "framewright/plugins/database";
import { scopeName, type TenantPath } from "./tenant_path.ts";

/** The key of a tenant. */
export type Id = number | string;
/** The tenant of a query. */
export interface Tenant {
  readonly database: Database;
  readonly model: ModelInfo;
  readonly key: Id;
  /** The tenant itself, which a scope at the end of a path is given. */
  readonly entity?: BaseModel | undefined;
}
/** The common interface of knex's and Objection's query builders. */
interface Conditions {
  where(column: string, value: Id): unknown;
  whereIn(column: string | string[], values: never): unknown;
}

/** Adds the condition that a model's records belong to a tenant. */
export function applyTenantPath(group: Query<BaseModel>, table: string, path: TenantPath, tenant: Tenant): void {
  if (path.hops.length > 0) joinHops(group as unknown as Conditions, path, 0, tenant, table);
  else if (path.scoped) applyOwnScope(group, table, path.scoped, tenant);
  else group.where(`${table}.${tenant.model.primaryKey}`, tenant.key);
}

/** Adds one sub-query per table, so that table names can't clash. */
function joinHops(at: Conditions, path: TenantPath, index: number, tenant: Tenant, table?: string): void {
  const { from, toKey } = path.hops[index] as Hop;
  const columns = from.columns.map((column) => `${table ?? from.table}.${column}`);
  const last = index === path.hops.length - 1;
  if (last && !path.scoped && toKey) at.where(columns[0]!, tenant.key);
  else at.whereIn(columns.length === 1 ? columns[0]! : columns, keysOfNextTable(path, index, tenant) as never);
}

/** The allowed keys of a path's first association. */
export const keysOfTenant = (path: TenantPath, tenant: Tenant): Knex.QueryBuilder => keysOfNextTable(path, 0, tenant);

/** The keys of the next table's records of the tenant. */
function keysOfNextTable(path: TenantPath, index: number, tenant: Tenant): Knex.QueryBuilder {
  const { to, toKey, mark } = path.hops[index] as Hop;
  const key = to.columns.map((column) => `${to.table}.${column}`);
  const last = index === path.hops.length - 1;
  if (last && path.scoped) return scopedKeys(key, path.scoped, tenant);
  const keys = tenant.database.knex(to.table).select(key);
  if (mark !== undefined && !toKey) keys.whereNull(`${to.table}.${mark}`);
  if (last) keys.where(`${to.table}.${tenant.model.primaryKey}`, tenant.key);
  else joinHops(keys, path, index + 1, tenant);
  return keys;
}

function scopedKeys(columns: readonly string[], scoped: ModelInfo, tenant: Tenant): Knex.QueryBuilder {
  const query = tenant.database.query(scoped.class);
  query.where((group) => applyModelScope(group as unknown as Query<BaseModel>, scoped, tenant));
  return query.select([...columns]).toKnexQuery();
}

/** The scope of the queried model itself; its conditions name the table, which a join may give another name. */
function applyOwnScope(group: Query<BaseModel>, table: string, scoped: ModelInfo, tenant: Tenant): void {
  if (table === scoped.table) applyModelScope(group, scoped, tenant);
  else {
    const own = scoped.key.columns.map((column) => `${table}.${column}`);
    const [only] = own;
    group.whereIn((own.length === 1 ? only : own) as never, scopedKeys(scoped.key.names, scoped, tenant) as never);
  }
}

function applyModelScope(group: Query<BaseModel>, scoped: ModelInfo, { model, entity }: Tenant): unknown {
  const scope = scoped.class.scopes[scopeName(model)] as unknown as (
    query: Query<BaseModel>,
    entity: BaseModel,
  ) => unknown;
  return scope(group, entity!);
}
