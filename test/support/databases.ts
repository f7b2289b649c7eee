import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "framewright/kernel";
import mysql from "mysql2/promise";
import { fwPostgres } from "./fw_postgres.ts";
import { reasonToSkip } from "./requirements.ts";

export type DatabaseName = "sqlite" | "mysql" | "postgres" | "pglite";

/** The databases that tests run on: SQLite and MariaDB, or those of FW_TEST_DATABASES, `postgres,pglite`. */
export const testedDatabases = (): readonly DatabaseName[] =>
  (process.env.FW_TEST_DATABASES ?? "sqlite,mysql").split(",") as DatabaseName[];

/** The plugins that open an address: none for what is built in. */
export async function driverPlugins(url: string | undefined): Promise<Plugin[]> {
  if (!/^(?:postgres|pglite):/.test(url ?? "")) return [];
  return [(await fwPostgres()).postgres()];
}

/** A database for one test file: embedded SQLite in memory's place, or a schema of its own on a server. */
export interface TestDatabase {
  name: DatabaseName;
  /** Why it can't be used here. */
  skip: string | undefined;
  /** The settings that lead to it; made new at each call. */
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
const values: Readonly<Record<DatabaseName, () => Promise<Values>>> = {
  sqlite: async () => ({}),
  mysql: () => onServerOf(process.env.FW_TEST_MYSQL_URL!, mysqlStatement, "character set utf8mb4"),
  postgres: () => onServerOf(process.env.FW_TEST_POSTGRES_URL!, postgresStatement),
  pglite: async () => {
    const folder = mkdtempSync(join(tmpdir(), "fw-pglite-")); // in memory, each opening is a database of its own
    made.set("", [...(made.get("") ?? []), () => rm(folder, { recursive: true, force: true })]);
    return { DATABASE_URL: `pglite:${join(folder, "test")}` };
  },
};
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
 * `withPostgres`: PostgreSQL as well, in the process where FW_TEST_DATABASES names no other.
 */
export async function databases({ mysqlInSoak = false, withPostgres = false } = {}): Promise<TestDatabase[]> {
  const tested = testedDatabases();
  const more = withPostgres && !tested.includes("postgres") ? (["pglite"] as const) : [];
  const names = [...new Set([...tested, ...more])].filter(
    (name) => name !== "mysql" || !mysqlInSoak || process.env.FW_TEST_SOAK !== undefined,
  );
  return Promise.all(
    names.map(async (name) => ({
      ...{ name, values: values[name], clean: () => clean(name) },
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
