import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ConnectionOptions } from "framewright/plugins/database";
import { pgliteDriver, postgresDriver } from "framewright/plugins/postgres";
import type { Knex } from "knex";
import mysql from "mysql2/promise";
import { emptyPglite } from "./empty_pglite.ts";
import { reasonToSkip } from "./requirements.ts";

export type DatabaseName = "sqlite" | "mysql" | "postgres" | "pglite";

/** The databases that tests run on: SQLite, MariaDB, and PostgreSQL where there is a server; or those of FW_TEST_DATABASES. */
export const testedDatabases = (): readonly DatabaseName[] => {
  const { FW_TEST_DATABASES: named, FW_TEST_POSTGRES_URL: server } = process.env;
  return (named ?? (server ? "sqlite,mysql,postgres" : "sqlite,mysql")).split(",") as DatabaseName[];
};

/** Module-level: one value for all kernels of a process, so that they open a folder of PGlite together. */
const pglite = pgliteDriver();
/** As postgres(), with that driver. */
const plugin = definePlugin({
  name: "postgres",
  requires: ["database"],
  apply({ services: { database } }) {
    database.drivers.add("postgres", postgresDriver);
    database.drivers.add("pglite", pglite);
  },
});
/** The plugins that open an address: none for what is built in. */
export const driverPlugins = async (url: string | undefined): Promise<Plugin[]> =>
  /^(?:postgres|pglite):/.test(url ?? "") ? [plugin] : [];

/** A database for one test file: embedded SQLite in memory's place, or a schema of its own on a server. */
export interface TestDatabase {
  name: DatabaseName;
  /** Why it can't be used here. */
  skip: string | undefined;
  /** The settings that lead to it; it is empty at each call. */
  values(): Promise<Record<string, string>>;
  /** Removes what `values` made. */
  clean(): Promise<void>;
}

type Values = Record<string, string>;
/** What removes the databases that were made, by the server that they are on. */
const made = new Map<string, (() => Promise<unknown>)[]>();

/** Creates a database of its own on a server. */
async function onServerOf(server: string, run: typeof mysqlStatement, more = ""): Promise<Values> {
  const name = `fw_t_${randomBytes(6).toString("hex")}`;
  await run(server, `create database ${name} ${more}`);
  const drop = () => run(server, `drop database if exists ${name}${run === postgresStatement ? " with (force)" : ""}`);
  made.set(server, [...(made.get(server) ?? []), drop]);
  return { DATABASE_URL: new URL(`/${name}`, server).href };
}
/** A folder of PGlite's own, copied from one that it has set up before. */
export async function createPglite(): Promise<{ url: string; drop(): Promise<unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), "fw-pglite-"));
  cpSync(await emptyPglite(), join(folder, "test"), { recursive: true });
  const drop = () => rm(folder, { recursive: true, force: true });
  return { url: `pglite:${join(folder, "test")}`, drop };
}

/** Module-level: folders of PGlite that this process holds open, and that no test uses: opening one takes a second. */
const free: string[] = [];
async function sharedPglite(): Promise<{ url: string; drop(): Promise<unknown> }> {
  const url = free.pop() ?? (await heldPglite());
  await emptied(url);
  const drop = async () => {
    await quieted(url);
    free.push(url);
  };
  return { url, drop };
}
/**
 * PostgreSQL writes its statistics up to ten seconds later, and the timer for that keeps a process alive which holds PGlite open:
 * they are written now, and the timer of a statement, which begins with it, replaces that one.
 */
async function quieted(url: string): Promise<void> {
  const knex = await onPglite(url);
  await knex.raw("set statement_timeout = 1");
  await knex.raw("select pg_stat_force_next_flush(); set statement_timeout = 0");
  await knex.destroy();
}
async function heldPglite(): Promise<string> {
  const { url } = await createPglite();
  const { client } = await onPglite(url);
  await client.pool.destroy(); // the connections of the use, which itself never ends
  return url;
}
/** A database with nothing of the test before. */
async function emptied(url: string): Promise<void> {
  const knex = await onPglite(url);
  const { rows } = await knex.raw("select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$'");
  for (const { nspname } of rows as { nspname: string }[]) await knex.raw("drop schema ?? cascade", [nspname]);
  await knex.raw("create schema public");
  await knex.raw("discard all");
  await knex.destroy();
}
async function onPglite(url: string): Promise<Knex> {
  const knex = pglite.connect({ url, root: tmpdir() } as ConnectionOptions & { url: string });
  await knex.raw("select 1");
  return knex;
}

const values: Readonly<Record<DatabaseName, () => Promise<Values>>> = {
  sqlite: async () => ({}),
  mysql: () => onServerOf(process.env.FW_TEST_MYSQL_URL!, mysqlStatement, "character set utf8mb4"),
  postgres: () => onServerOf(process.env.FW_TEST_POSTGRES_URL!, postgresStatement),
  pglite: () => withPglite(sharedPglite),
};
async function withPglite(create: typeof createPglite): Promise<Values> {
  const { url, drop } = await create();
  made.set("", [...(made.get("") ?? []), drop]);
  return { DATABASE_URL: url };
}
const servers: Readonly<Partial<Record<DatabaseName, string | undefined>>> = {
  mysql: process.env.FW_TEST_MYSQL_URL,
  postgres: process.env.FW_TEST_POSTGRES_URL,
};
async function clean(name: DatabaseName): Promise<void> {
  const server = servers[name] ?? "";
  const drops = made.get(server) ?? [];
  made.delete(server);
  for (const drop of drops) await drop();
}

/**
 * Both databases, each to run the same tests on. `mysqlInSoak`: MariaDB's turn comes in `npm run soak`, which sets FW_TEST_SOAK.
 * `withPostgres`: PostgreSQL as well, in the process where FW_TEST_DATABASES names no other; with `byCommands` in a folder
 * that this process does not hold open, so that others can.
 */
export async function databases({
  mysqlInSoak = false,
  withPostgres = false,
  byCommands = false,
} = {}): Promise<TestDatabase[]> {
  const tested = testedDatabases();
  const more = withPostgres && !tested.includes("postgres") ? (["pglite"] as const) : [];
  const names = [...new Set([...tested, ...more])].filter(
    (name) => name !== "mysql" || !mysqlInSoak || process.env.FW_TEST_SOAK !== undefined,
  );
  return Promise.all(
    names.map(async (name) => ({
      name,
      values: name === "pglite" && byCommands ? () => withPglite(createPglite) : values[name],
      clean: () => clean(name),
      skip: name === "mysql" || name === "pglite" ? await reasonToSkip(name) : undefined,
    })),
  );
}

/** The names of databases of the server that are like a pattern, and begin as the given one. */
export async function namesOnServer(pattern: string, of: string): Promise<string[]> {
  const rows = (await mysqlStatement(of, `show databases like '${pattern}'`)) as Record<string, string>[];
  const start = new URL(of).pathname.slice(1);
  return rows.flatMap((row) => Object.values(row)).filter((name) => name.startsWith(start));
}

/** Runs a statement on the server of an address. */
export async function mysqlStatement(server: string, statement: string): Promise<unknown> {
  const { hostname: host, port, username: user, password } = new URL(server);
  const connection = await mysql.createConnection({ host, port: Number(port), user, password });
  const [rows] = await connection.query(statement);
  await connection.end();
  return rows;
}

/** As mysqlStatement, on a server of PostgreSQL. */
export async function postgresStatement(server: string, statement: string): Promise<unknown> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: new URL("/postgres", server).href });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
