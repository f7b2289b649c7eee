import type { ApplicationFiles } from "framewright/generators";
import type { ColumnInfo, Database, UniqueIndex } from "framewright/plugins/database";
import { applicationPlugins } from "../../../../generators/toolkit/index.ts";

/** A table or view as the database has it. */
export interface TableFacts {
  name: string;
  isView: boolean;
  columns: readonly ColumnInfo[];
  uniques: readonly UniqueIndex[];
}

/** Reads all tables and views. The application's classes are not loaded: one that no longer fits its table stops nothing. */
export async function readSchema({ root }: ApplicationFiles): Promise<TableFacts[]> {
  const plugins = await applicationPlugins(root);
  const { Application, readSettings } = await import("framewright/host");
  const application = new Application(readSettings({ root }), { root, logTo: "stderr" });
  const found: TableFacts[] = [];
  await application.withPlugins(plugins, async () => {
    found.push(...(await readTables(application.kernel.service("database", "fw:db:pull"))));
  });
  return found;
}

async function readTables(database: Database): Promise<TableFacts[]> {
  const { knex, driver } = database;
  const all = await driver.tables.allColumns?.(knex);
  const columnsOf = async (name: string) => all?.get(name.toLowerCase()) ?? (await database.introspect(name));
  const tables: TableFacts[] = [];
  for (const name of await driver.tables.tables(knex))
    tables.push({
      name,
      isView: false,
      columns: await columnsOf(name),
      uniques: await driver.tables.uniques(knex, name),
    });
  for (const name of (await driver.tables.views?.(knex)) ?? [])
    tables.push({ name, isView: true, columns: await columnsOf(name), uniques: [] });
  return tables.filter(({ columns }) => columns.length > 0);
}
