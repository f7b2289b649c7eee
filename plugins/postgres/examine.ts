import type { ServerFinding } from "framewright/plugins/database";
import type { Knex } from "knex";
import { oldColumns } from "./convert_types.ts";

interface Server {
  encoding: string;
  folds: number;
  connections: string;
  is_standby: number;
}
const OF_SERVER =
  "select current_setting('server_encoding') as encoding, lower('É') = 'é' as folds, current_setting('max_connections') as connections, pg_is_in_recovery() as is_standby";

/** What `fw doctor` finds of a server, and of columns that an earlier release created. */
export async function examineServer(knex: Knex, pool: number): Promise<ServerFinding[]> {
  const server = (await knex.raw(OF_SERVER)).rows[0] as Server;
  const problems = problemsOf(server, pool);
  const room = Math.floor(Number(server.connections) / pool);
  const detail = problems.length > 0 ? problems.join("; ") : `takes ${room} processes with a pool of ${pool}`;
  return [{ what: "database server", ok: problems.length === 0, detail }, ...(await examineTypes(knex))];
}

function problemsOf({ encoding, folds, connections, is_standby }: Server, pool: number): string[] {
  return [
    ...(encoding === "UTF8" ? [] : [`its encoding is ${encoding}: create the database with encoding 'UTF8'`]),
    ...(folds === 1
      ? []
      : ["its locale does not fold letters, so that É and é are two: create the database with locale 'C.UTF-8'"]),
    ...(Number(connections) <= pool
      ? [`max_connections is ${connections}, and one process takes ${pool}: raise it, or lower database({ pool })`]
      : []),
    ...(is_standby === 1 ? ["it is a standby: name the primary server in DATABASE_URL"] : []),
  ];
}

const MAX_NAMES = 3;
/** Columns of earlier types, in one sentence. */
export async function examineTypes(knex: Knex): Promise<ServerFinding[]> {
  const columns = await oldColumns(knex);
  if (columns.length === 0) return [];
  const names = columns.slice(0, MAX_NAMES).map(({ table, column }) => `${table}.${column}`);
  const more = columns.length > MAX_NAMES ? ` and ${columns.length - MAX_NAMES} more` : "";
  const detail = `${names.join(", ")}${more} are timestamp or json, and are read as before; a migration with convertTypes() of framewright/plugins/postgres makes them timestamptz and jsonb`;
  return [{ what: "database types", ok: true, detail }];
}
