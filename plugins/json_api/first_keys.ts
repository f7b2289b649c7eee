import type { BaseModel, KeyValue, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";

/** How many queries are one statement. */
const MAX_TOGETHER = 100;

/** The keys that each query finds, in its order; a statement for many of them. */
export async function firstKeys(
  { registration: { model }, resources: { database } }: ResourceRequest,
  queries: readonly (Query<BaseModel> | undefined)[],
): Promise<KeyValue[][]> {
  const { knex } = database;
  const found: KeyValue[][] = queries.map(() => []);
  const selects = queries.flatMap((query, at) => {
    if (!query) return [];
    const keys = query
      .clearSelect()
      .select([...model.key.names])
      .toKnexQuery()
      .as("included");
    return [
      knex
        .queryBuilder()
        .select("*", knex.raw(`${at} as owner_index`))
        .from(keys),
    ];
  });
  for (let from = 0; from < selects.length; from += MAX_TOGETHER) {
    const [first, ...rest] = selects.slice(from, from + MAX_TOGETHER);
    const rows = await database.rows(rest.length > 0 ? first!.unionAll(rest) : first!);
    for (const row of rows) found[Number(row.owner_index)]!.push(model.key.of(row)!);
  }
  return found;
}
