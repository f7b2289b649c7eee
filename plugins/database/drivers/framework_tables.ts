import type { Knex } from "knex";
import type { Ddl, Introspection } from "./driver.ts";
import { driverOf, useDriver } from "./drivers.ts";
import { FRAMEWORK_PREFIX, isFrameworkTable, storedName } from "./framework_names.ts";

type Wrap = (name: string, quote: (name: string) => string, context: unknown) => string;
interface HasConfig {
  config: { wrapIdentifier?: Wrap; renamed?: Renamed };
}
/** How the framework's tables are called in a database, and its tables as they are there. */
interface Renamed {
  prefix: string;
  stored: Introspection;
}

/**
 * Lets the framework's tables have names of another prefix in the database that a knex leads to. Code keeps one name for each:
 * names are replaced where SQL is written, and replaced back where tables are read.
 */
export function useFrameworkPrefix(knex: Knex, prefix: string | undefined): Knex {
  const { config } = knex.client as HasConfig;
  if (prefix === undefined || config.renamed) return knex;
  const own = config.wrapIdentifier;
  const driver = driverOf(knex);
  config.renamed = { prefix, stored: driver.tables };
  config.wrapIdentifier = (name, quote, context) => {
    const stored = storedName(name, prefix);
    return own ? own(stored, quote, context) : quote(stored);
  };
  return useDriver(knex, {
    ...driver,
    tables: renamedTables(driver.tables, prefix),
    ddl: renamedDdl(driver.ddl, prefix),
  });
}

/** How the framework's tables are called in a knex's database; undefined where it is as in code. */
export const renamingOf = (knex: Knex): Renamed | undefined => (knex.client as Partial<HasConfig>).config?.renamed;

/** Tables as code names them. Those of another application that keeps the default are none of this one's. */
function renamedTables(tables: Introspection, prefix: string): Introspection {
  const stored = (name: string) => storedName(name, prefix);
  const known = (name: string): readonly string[] => {
    if (name.startsWith(prefix)) return [FRAMEWORK_PREFIX + name.slice(prefix.length)];
    return isFrameworkTable(name) ? [] : [name];
  };
  return {
    ...tables,
    tables: async (knex) => (await tables.tables(knex)).flatMap(known).sort(),
    columnNames: async (knex) =>
      (await tables.columnNames(knex)).flatMap(({ table, column }) =>
        known(table).map((name) => ({ table: name, column })),
      ),
    columns: (knex, table) => tables.columns(knex, stored(table)),
    ...(tables.allColumns
      ? {
          allColumns: async (knex: Knex) =>
            new Map(
              [...(await tables.allColumns!(knex))].flatMap(([name, columns]) =>
                known(name).map((one) => [one, columns]),
              ),
            ),
        }
      : {}),
    uniques: (knex, table) => tables.uniques(knex, stored(table)),
    indexes: async (knex, table) =>
      (await tables.indexes(knex, stored(table))).map(({ name, column }) => ({ name: known(name)[0] ?? name, column })),
    ...(tables.constraintColumns
      ? {
          constraintColumns: (knex: Knex, table: string, constraint: string) =>
            tables.constraintColumns!(knex, stored(table), constraint),
        }
      : {}),
  };
}

function renamedDdl(ddl: Ddl, prefix: string): Ddl {
  const stored = (name: string) => storedName(name, prefix);
  return {
    ...ddl,
    quote: (name) => ddl.quote(stored(name)),
    dropIndex: (table, name) => ddl.dropIndex(stored(table), stored(name)),
    ...(ddl.checks
      ? { checks: (table: string, column: Parameters<Ddl["type"]>[0]) => ddl.checks!(stored(table), column) }
      : {}),
  };
}
