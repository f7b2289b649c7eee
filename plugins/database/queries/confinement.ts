import type { BaseController } from "framewright/host";
import type { Knex } from "knex";
import type { QueryBuilder } from "objection";
import { errors } from "../errors.ts";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import type { Query, Transaction } from "../models/types.ts";

/** Where a query is handed to an application's code: in which portal, and for which of its tenants. */
export interface QueryPlace {
  /** The portal's name; undefined on the main application, or where it is not known any more. */
  readonly portal: string | undefined;
  /** Whether it is divided by tenants. */
  readonly isScoped: boolean;
  readonly entity: unknown;
}
/** The place of a controller: its portal and tenant. */
export const queryPlace = ({ request, currentScopedEntity }: BaseController): QueryPlace => ({
  portal: request.engine?.name,
  isScoped: request.engine?.tenantRule !== undefined,
  entity: currentScopedEntity,
});

/** What a confined query may reach, and the check of records that are written through it. */
export interface Confinement {
  /** Narrows a query to a model's records in reach; `isRoot`: it is the model of the query itself, and not one that is loaded along. */
  narrow(group: Query<BaseModel>, model: ModelInfo, table: string, isRoot: boolean): void;
  /** A record is about to be inserted, or changed. */
  write(record: BaseModel, model: ModelInfo, transaction: Transaction, isNew: boolean): Promise<void>;
}

const confinement = Symbol("confinement");
type Context = { [confinement]?: Confinement; onBuild?: unknown };

/**
 * Confines a query, whatever is called on it later: what it finds, changes and deletes, and what is loaded along. The
 * application's conditions go into a group of their own, so that an `orWhere` of theirs widens nothing.
 */
export function confine<M extends BaseModel>(query: QueryBuilder<M>, by: Confinement): QueryBuilder<M> {
  const root = query.modelClass() as unknown as ModelClass;
  const onBuild = (builder: QueryBuilder<BaseModel>): void => {
    if (builder.isInsert()) return;
    const cls = builder.modelClass() as unknown as ModelClass;
    const table = builder.tableRefFor(cls as never);
    builder.onBuildKnex((knexQuery) => void inOneGroup(knexQuery as unknown as Wheres));
    builder.where((group) => by.narrow(group as never, ModelInfo.of(cls), table, cls === root));
  };
  query.context({ [confinement]: by, onBuild });
  return query;
}

export const confinementOf = (context: object): Confinement | undefined => (context as Context)[confinement];

interface Contextual {
  context(given?: object): object;
  clearContext(): object;
  withGraphJoined(...given: unknown[]): QueryBuilder<BaseModel>;
  merge(...given: unknown[]): unknown;
}
/**
 * A context that is given to a confined query later adds to what it has, and removes nothing of the confinement. What
 * is joined as a graph is narrowed as what is fetched, and a conflict changes no record that may be out of reach.
 */
export function keepConfined(prototype: object): void {
  const { context, clearContext, merge, withGraphJoined } = prototype as Contextual;
  Object.assign(prototype, {
    context(this: Contextual, ...given: [object?]): object {
      const had = context.call(this);
      return given[0] === undefined ? had : context.call(this, kept(had, given[0]));
    },
    clearContext(this: Contextual): object {
      const had = context.call(this);
      clearContext.call(this);
      return context.call(this, kept(had, {}));
    },
    withGraphJoined(this: Contextual, ...given: unknown[]): object {
      const query = withGraphJoined.apply(this, given);
      const by = confinementOf(context.call(this));
      return by ? narrowJoined(query, by) : query;
    },
    /** @throws FW_CONFINED_MERGE */
    merge(this: Contextual & QueryBuilder<BaseModel>, ...given: unknown[]): unknown {
      if (confinementOf(context.call(this))) throw errors.FW_CONFINED_MERGE(this.modelClass().name);
      return merge.apply(this, given);
    },
  });
}

function kept(had: object, given: object): object {
  const { [confinement]: by, onBuild } = had as Context;
  if (!by) return given;
  const more = (given as Context).onBuild;
  const builders = more === undefined || more === onBuild ? onBuild : [onBuild, more];
  return { ...given, [confinement]: by, onBuild: builders };
}

/** @throws FW_CONFINED_GRAPH for a graph without an end */
function narrowJoined(query: QueryBuilder<BaseModel>, by: Confinement): QueryBuilder<BaseModel> {
  for (const path of pathsOf(query, query.graphExpressionObject() as unknown as Graph))
    query.modifyGraph(path, (joined) => {
      const cls = joined.modelClass() as unknown as ModelClass;
      const table = joined.tableRefFor(cls as never);
      joined.where((group) => by.narrow(group as never, ModelInfo.of(cls), table, false));
    });
  return query;
}

interface Graph {
  $childNames: readonly string[];
  $recursive: boolean | number;
  $allRecursive: boolean;
  [child: string]: unknown;
}
function pathsOf(query: QueryBuilder<BaseModel>, graph: Graph): string[] {
  return graph.$childNames.flatMap((name) => {
    const child = graph[name] as Graph;
    if (child.$recursive || child.$allRecursive) throw errors.FW_CONFINED_GRAPH(query.modelClass().name, name);
    return [name, ...pathsOf(query, child).map((path) => `${name}.${path}`)];
  });
}

/** Whether SQL was given for a column that is about to be written; it is not written then. */
export function dropExpression(record: BaseModel, column: string): boolean {
  const { $$queryProps: given } = record as unknown as { $$queryProps?: Record<string, unknown> };
  if (!given || !Object.hasOwn(given, column)) return false;
  return delete given[column];
}

type Statement = { grouping?: string };
/** The conditions of a knex query, as it keeps them. */
export interface Wheres {
  _statements: Statement[];
  clearWhere(): this;
  where(block: (group: Wheres) => void): this;
}

/** Puts the conditions of a query so far into a group, beside which further ones are added. */
export function inOneGroup(query: Wheres): void {
  const conditions = query._statements.filter(({ grouping }) => grouping === "where");
  if (conditions.length > 0) query.clearWhere().where((group) => void group._statements.push(...conditions));
}

/** Grouping looks at what knex keeps to itself. @throws FW_DATABASE_KNEX when a version of it keeps it otherwise */
export function checkConfining(knex: Knex): void {
  const probe = knex.queryBuilder().from("a").where("b", 1).orWhere("c", 2) as unknown as Wheres;
  const holds =
    Array.isArray(probe._statements) && probe._statements.filter(({ grouping }) => grouping === "where").length === 2;
  if (holds) inOneGroup(probe);
  const sql = String(holds ? (probe as unknown as Knex.QueryBuilder).where("d", 3).toSQL().sql : "");
  if (!/where \(.*or.*\) and/.test(sql)) throw errors.FW_DATABASE_KNEX();
}
