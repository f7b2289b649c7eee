import type { Finding } from "framewright/host";
import { type Database, driverOf, type Knex, type ModelInfo, type UniqueIndex } from "framewright/plugins/database";

/** The end of the name of a unique index that leaves rows in the trash out. */
export const USED = "_in_use";
/** Of databases without partial indexes: the column that has no value in rows in the trash. */
export const IN_USE = "row_in_use";

/** The unique indexes of a table that rows in the trash are in as well, without its primary key. */
export async function wholeUniques(knex: Knex, table: string): Promise<UniqueIndex[]> {
  const { tables } = driverOf(knex);
  const droppable = new Set((await tables.indexes(knex, table)).map(({ name }) => name));
  const uniques = await tables.uniques(knex, table);
  return uniques.filter(({ name }) => droppable.has(name) && !name.endsWith(USED));
}

/** What `fw doctor` prints of the unique indexes of models with a trash. */
export async function examineIndexes({ knex }: Database, models: readonly ModelInfo[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { constant, table, exists } of models) {
    if (!exists) continue;
    const left = (await wholeUniques(knex, table)).map(({ name }) => name);
    const detail =
      left.length === 0
        ? `the unique indexes of ${constant} leave the trash out`
        : `${left.join(", ")}: what is in the trash of ${constant} still takes its values. Run: fw generate fw:trash ${constant}`;
    findings.push({ what: "trash", ok: left.length === 0, detail });
  }
  return findings;
}
