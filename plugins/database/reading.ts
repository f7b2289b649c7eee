import type { Knex } from "knex";
import type { QueryBuilder } from "objection";
import { type FailedQuery, failed } from "./failures.ts";
import { BaseModel, type ModelClass } from "./model.ts";
import { ModelInfo } from "./model_info.ts";
import { rowsOf } from "./running.ts";

type Row = Record<string, unknown>;
type Values = Record<string, unknown>;
type Query<M extends BaseModel> = QueryBuilder<M>;
interface Built {
  modelClass(): ModelClass;
  toKnexQuery(): Knex.QueryBuilder<Row, Row[]>;
}
/** What objection would call when it runs a query itself. */
const classHooks = ["beforeFind", "afterFind"] as const;

/**
 * Reads the records of a query and the associations that are named, as objection would, with far less in between: rows
 * become records, and what they belong to is fetched by key. What is more than that, as a model that listens to its
 * finding or an association of many, is left to objection.
 */
export async function readRecords<M extends BaseModel>(query: Query<M>, names: readonly string[] = []): Promise<M[]> {
  const built = query as unknown as Built & FailedQuery;
  const info = ModelInfo.of(built.modelClass());
  if (listens(info) || !names.every((name) => isDirect(info, name))) {
    return (await (names.length > 0 ? query.withGraphFetched(`[${names.join(", ")}]`) : query)) as unknown as M[];
  }
  try {
    const records = recordsOf<M>(info, await rowsOf(built.toKnexQuery()));
    for (const name of names) await attach(info, name, records as unknown as Values[], built.knex());
    return records;
  } catch (error) {
    return failed(error, built);
  }
}

/** How many records a query finds; it must hold nothing but conditions. */
export async function countRecords<M extends BaseModel>(query: Query<M>): Promise<number> {
  const built = query as unknown as Built & FailedQuery;
  try {
    const counting = built.toKnexQuery().clearSelect().count("* as total") as unknown as Knex.QueryBuilder<Row, Row[]>;
    const [counted] = await rowsOf(counting);
    return Number((counted as Row | undefined)?.total ?? 0);
  } catch (error) {
    return failed(error, built);
  }
}

const recordsOf = <M>(info: ModelInfo, rows: readonly Row[]): M[] =>
  rows.map((row) => info.class.fromDatabaseJson(row) as unknown as M);

function isDirect(info: ModelInfo, name: string): boolean {
  const association = info.associations.get(name);
  return association?.kind === "belongsTo" && association.through === undefined && !listens(association.target);
}

function listens({ class: cls }: ModelInfo): boolean {
  return (
    cls.prototype.$afterFind !== BaseModel.prototype.$afterFind ||
    classHooks.some((hook) => cls[hook] !== BaseModel[hook])
  );
}

/** Gives each record the one that it belongs to, or null. */
async function attach(info: ModelInfo, name: string, records: readonly Values[], knex: Knex): Promise<void> {
  const { foreignKey, target } = info.associations.get(name)!;
  const keys = [...new Set(records.map((record) => record[foreignKey]))].filter(
    (key) => key !== null && key !== undefined,
  );
  const found = new Map<unknown, BaseModel>();
  if (keys.length > 0) {
    const rows = await rowsOf(knex(target.table).whereIn(`${target.table}.id`, keys as number[]));
    for (const row of rows) found.set(row.id, target.class.fromDatabaseJson(row));
  }
  for (const record of records) record[name] = found.get(record[foreignKey]) ?? null;
}
