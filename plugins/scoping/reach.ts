import type { BaseModel, Database, Hop, Query } from "framewright/plugins/database";
import { type Way, scopeName } from "./ways.ts";
import type { ScopeRule } from "./rules.ts";

type Id = number | string;
/** What a query builder of knex and one of objection have in common. */
interface Conditions {
  where(column: string, value: Id): unknown;
  whereIn(column: string, values: never): unknown;
}

/** Narrows a query of a table to the records that belong to a tenant. */
export function reach(database: Database, group: Query<BaseModel>, table: string, way: Way, rule: ScopeRule, entity: BaseModel): void {
  const id = entity.$id() as Id;
  if (way.hops.length > 0) follow(database, group as unknown as Conditions, way, 0, rule, entity);
  else if (way.scoped) ownScope(group, way, rule, entity);
  else group.where(`${table}.id`, id);
}

/** Table by table in sub-queries, none of which can see another's names. */
function follow(database: Database, at: Conditions, way: Way, index: number, rule: ScopeRule, entity: BaseModel): void {
  const { from, to } = way.hops[index] as Hop;
  const column = `${from.table}.${from.column}`;
  const last = index === way.hops.length - 1;
  if (last && !way.scoped && to.column === "id") return void at.where(column, entity.$id() as Id);
  if (last && way.scoped) return void at.whereIn(column, ofScope(database, way, rule, entity).select(`${to.table}.${to.column}`) as never);
  const next = database.knex(to.table).select(`${to.table}.${to.column}`);
  if (last) next.where(`${to.table}.id`, entity.$id() as Id);
  else follow(database, next, way, index + 1, rule, entity);
  at.whereIn(column, next as never);
}

function ofScope(database: Database, way: Way, rule: ScopeRule, entity: BaseModel): Query<BaseModel> {
  const query = database.query(way.scoped!.class) as Query<BaseModel>;
  return query.where((group) => ownScope(group as unknown as Query<BaseModel>, way, rule, entity)) as Query<BaseModel>;
}

function ownScope(group: Query<BaseModel>, { scoped }: Way, { entity: { } , entity: model }: ScopeRule, entity: BaseModel): void {
  const scope = scoped!.class.scopes[scopeName(model)] as unknown as (query: Query<BaseModel>, entity: BaseModel) => unknown;
  scope(group, entity);
}
