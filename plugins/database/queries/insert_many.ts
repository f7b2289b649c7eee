import type { Knex } from "knex";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";

/** What is used of objection's query builder and of its insert operations; see private_apis.ts. */
export interface Inserting {
  modelClass(): ModelClass;
  knex(): Knex;
  clone(): Inserting;
  has(operation: RegExp): boolean;
  _operations: readonly Operation[];
}
interface Operation {
  readonly name: string;
  models?: BaseModel[];
  delegate?: Operation;
}

/** Values of a statement at most: PostgreSQL counts them with 16 bits. */
const MAX_BINDINGS = 30_000;

/** Whether a query writes a graph of records, by queries of its own. */
export const writesGraph = (query: Pick<Inserting, "_operations">): boolean =>
  query._operations.some(({ name }) => /^(?:insert|upsert)Graph/.test(name));

/** Whether a query writes several records: all of them or none. */
export const writesMany = (query: Pick<Inserting, "_operations">): boolean =>
  (insertOf(query)?.models?.length ?? 0) > 1 || writesGraph(query);

/**
 * A query of several records as queries that are run one after the other. A query has one record, so that its key is known
 * and its rules see the records before it; where the database returns the keys, and no rule looks at other records (`isPlain`),
 * it has many.
 */
export function insertParts<Q extends Inserting>(query: Q, isPlain: boolean): Q[] {
  const { models = [] } = insertOf(query)!;
  const size = isPlain ? maxRecords(query) : 1;
  const parts: Q[] = [];
  for (let start = 0; start < models.length; start += size) {
    const part = query.clone() as Q;
    insertOf(part)!.models = models.slice(start, start + size);
    parts.push(part);
  }
  return parts;
}

function maxRecords(query: Inserting): number {
  const returnsKeys = (query.knex().client as { dialect?: unknown }).dialect === "postgresql";
  if (!returnsKeys || query.has(/^onConflict$/)) return 1;
  return Math.max(1, Math.floor(MAX_BINDINGS / Math.max(1, ModelInfo.of(query.modelClass()).columns.size)));
}

/** The operation that has the records; that of `insertAndFetch` and others wraps it. */
export function insertOf({ _operations }: Pick<Inserting, "_operations">): Operation | undefined {
  for (let found of _operations) {
    while (found.delegate) found = found.delegate;
    if (found.models) return found;
  }
  return undefined;
}
