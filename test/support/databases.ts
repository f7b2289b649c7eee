import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "framewright/kernel";
import { postgres } from "framewright/plugins/postgres";
import mysql from "mysql2/promise";
import { reasonToSkip } from "./requirements.ts";

export type DatabaseName = "sqlite" | "mysql" | "postgres" | "pglite";

/** The databases that tests run on: SQLite, MariaDB, and PostgreSQL where there is a server; or those of FW_TEST_DATABASES. */
export const testedDatabases = (): readonly DatabaseName[] => {
  const { FW_TEST_DATABASES: named, FW_TEST_POSTGRES_URL: server } = process.env;
  return (named ?? (server ? "sqlite,mysql,postgres" : "sqlite,mysql")).split(",") as DatabaseName[];
};

/** Module-level: one value for all kernels of a process, so that they open a folder of PGlite together. */
let plugin: Plugin | undefined;
/** The plugins that open an address: none for what is built in. */
export async function driverPlugins(url: string | undefined): Promise<Plugin[]> {
  if (!/^(?:postgres|pglite):/.test(url ?? "")) return [];
  plugin ??= postgres();
  return [plugin];
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
/** A folder of PGlite's own, copied from one that it has set up before: that takes it seconds. */
export async function createPglite(): Promise<{ url: string; drop(): Promise<unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), "fw-pglite-"));
  cpSync(await emptyPglite(), join(folder, "test"), { recursive: true });
  const drop = () => rm(folder, { recursive: true, force: true });
  return { url: `pglite:${join(folder, "test")}`, drop };
}
async function emptyPglite(): Promise<string> {
  const cached = join(tmpdir(), "fw-pglite-empty"); // of this run, whose temporary folder it is
  if (existsSync(cached)) return cached;
  const { PGlite } = await import("@electric-sql/pglite");
  const own = mkdtempSync(join(tmpdir(), "fw-pglite-new-"));
  await (await PGlite.create(join(own, "data"))).close();
  try {
    renameSync(join(own, "data"), cached);
  } catch (error) {
    if (!existsSync(cached)) throw error; // another process was first
  }
  await rm(own, { recursive: true, force: true });
  return cached;
}

const values: Readonly<Record<DatabaseName, () => Promise<Values>>> = {
  sqlite: async () => ({}),
  mysql: () => onServerOf(process.env.FW_TEST_MYSQL_URL!, mysqlStatement, "character set utf8mb4"),
  postgres: () => onServerOf(process.env.FW_TEST_POSTGRES_URL!, postgresStatement),
  pglite: async () => {
    const { url, drop } = await createPglite(); // in memory, each opening is a database of its own
    made.set("", [...(made.get("") ?? []), drop]);
    return { DATABASE_URL: url };
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
