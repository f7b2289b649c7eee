import { type ApplicationFiles, usage } from "framewright/generators";
import type { ColumnInfo, Database, UniqueIndex } from "framewright/plugins/database";
import { applicationPlugins } from "../../../../generators/toolkit/index.ts";
import { isNameable } from "./names.ts";

/** A table or view as the database has it. */
export interface TableFacts {
  /** With its schema where that is not the one that the connection uses: `sales.orders`. */
  name: string;
  /** Its name without the schema. */
  local: string;
  /** The schema that it was looked for in; undefined for the one that the connection uses. */
  schema: string | undefined;
  isView: boolean;
  /** Whether texts are of the type without a length only where they are long, as on MySQL. */
  areTextsLong: boolean;
  columns: readonly ColumnInfo[];
  uniques: readonly UniqueIndex[];
}

/**
 * Reads the tables and views of the schema that the connection uses, and of these. The application's classes are not loaded: one
 * that no longer fits its table stops nothing. @throws FW_SCHEMA_UNSUPPORTED, FW_SCHEMA_UNKNOWN
 */
export async function readSchema({ root }: ApplicationFiles, schemas: readonly string[]): Promise<TableFacts[]> {
  const plugins = await applicationPlugins(root);
  const { Application, readSettings } = await import("framewright/host");
  const application = new Application(readSettings({ root }), { root, logTo: "stderr" });
  const found: TableFacts[] = [];
  await application.withPlugins(plugins, async () => {
    const database = application.kernel.service("database", "fw:db:pull");
    const read = columnReader(database, await database.driver.tables.allColumns?.(database.knex));
    found.push(...(await readTables(database, await ownNames(database), read)));
    for (const schema of schemas)
      for (const facts of await readTables(database, await namesIn(database, schema), read, schema)) {
        const at = found.findIndex(({ name }) => name === facts.name);
        found.splice(at === -1 ? found.length : at, 1, facts);
      }
  });
  return found;
}

type ReadColumns = (table: string) => Promise<readonly ColumnInfo[]>;
const columnReader =
  (database: Database, all: ReadonlyMap<string, ColumnInfo[]> | undefined): ReadColumns =>
  async (name) =>
    all?.get(name.toLowerCase()) ?? (await database.introspect(name));

interface Names {
  tables: readonly string[];
  views: readonly string[];
}
const ownNames = async ({ driver, knex }: Database): Promise<Names> => ({
  tables: await driver.tables.tables(knex),
  views: (await driver.tables.views?.(knex)) ?? [],
});
async function namesIn({ driver, client, knex }: Database, schema: string): Promise<Names> {
  if (!driver.tables.inSchema) throw usage.FW_SCHEMA_UNSUPPORTED(client);
  const found = await driver.tables.inSchema(knex, schema);
  if (!found) throw usage.FW_SCHEMA_UNKNOWN(schema);
  return found;
}

async function readTables(
  { client, knex, driver }: Database,
  { tables, views }: Names,
  read: ReadColumns,
  schema?: string,
): Promise<TableFacts[]> {
  const factsOf = async (name: string, isView: boolean): Promise<TableFacts> => {
    const local = schema !== undefined && name.startsWith(`${schema}.`) ? name.slice(schema.length + 1) : name;
    const uniques = isView ? [] : await driver.tables.uniques(knex, name);
    return { name, local, schema, isView, areTextsLong: client === "mysql", columns: await read(name), uniques };
  };
  const facts: TableFacts[] = [];
  for (const name of tables) facts.push(await factsOf(name, false));
  for (const name of views) facts.push(await factsOf(name, true));
  return facts.filter(({ local, columns }) => columns.length > 0 || !isNameable(local));
}
