import type { Knex } from "knex";
import type { ServerFinding } from "../driver.ts";
import type { SqliteLibrary } from "./library/library.ts";

/** Which library opens the file, and the SQLite that is in it. */
export async function examineSqlite(knex: Knex): Promise<ServerFinding[]> {
  const { driver } = knex.client as { driver?: Partial<SqliteLibrary> };
  if (!driver?.title) return []; // a knex of the application's own
  const [{ version }] = (await knex.raw("select sqlite_version() as version")) as [{ version: string }];
  return [{ what: "SQLite", ok: true, detail: `${driver.title()}, SQLite ${version}` }];
}
