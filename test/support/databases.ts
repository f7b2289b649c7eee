import { randomBytes } from "node:crypto";
import mysql from "mysql2/promise";
import { reasonToSkip } from "./requirements.ts";

/** A database for one test file: embedded SQLite in memory's place, or a schema of its own on MariaDB. */
export interface TestDatabase {
  name: "sqlite" | "mysql";
  /** Why it can't be used here. */
  skip: string | undefined;
  /** The settings that lead to it; made new at each call. */
  values(): Promise<Record<string, string>>;
  /** Removes what `values` made. */
  clean(): Promise<void>;
}

const made: string[] = [];

/** Both databases, each to run the same tests on. `mysqlInSoak`: MariaDB's turn comes in `npm run soak`, which sets FW_TEST_SOAK. */
export async function databases({ mysqlInSoak = false } = {}): Promise<TestDatabase[]> {
  const sqlite: TestDatabase = {
    name: "sqlite",
    skip: undefined,
    values: async () => ({}),
    clean: async () => undefined,
  };
  const server = process.env.FW_TEST_MYSQL_URL ?? "";
  const values = async () => {
    const name = `fw_t_${randomBytes(6).toString("hex")}`;
    await onServer(server, `create database ${name} character set utf8mb4`);
    made.push(name);
    const url = new URL(server);
    url.pathname = `/${name}`;
    return { DATABASE_URL: url.href };
  };
  const clean = async () => {
    for (const name of made.splice(0)) await onServer(server, `drop database if exists ${name}`);
  };
  if (mysqlInSoak && process.env.FW_TEST_SOAK === undefined) return [sqlite];
  return [sqlite, { name: "mysql", skip: await reasonToSkip("mysql"), values, clean }];
}

/** The names of databases of the server that are like a pattern, and begin as the given one. */
export async function namesOnServer(pattern: string, of: string): Promise<string[]> {
  const rows = (await onServer(of, `show databases like '${pattern}'`)) as Record<string, string>[];
  const start = new URL(of).pathname.slice(1);
  return rows.flatMap((row) => Object.values(row)).filter((name) => name.startsWith(start));
}

/** Runs a statement on the server of an address. */
export async function onServer(server: string, statement: string): Promise<unknown> {
  const url = new URL(server);
  const connection = await mysql.createConnection({
    host: url.hostname,
    port: Number(url.port),
    user: url.username,
    password: url.password,
  });
  const [rows] = await connection.query(statement);
  await connection.end();
  return rows;
}
