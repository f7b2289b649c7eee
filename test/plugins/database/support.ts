import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel, type Plugin, type Settings } from "framewright/kernel";
import {
  type Database,
  type DatabaseOptions,
  database,
  type ModelClass,
  type TableBuilder,
} from "framewright/plugins/database";
import mysql from "mysql2/promise";
import { describe, reasonToSkip } from "../../support/index.ts";

export type DatabaseName = "sqlite" | "mysql";

// Before any group is defined: groups that are defined later than the first tick run twice.
const withoutMysql = await reasonToSkip("mysql");

/** The same tests on both databases; a group a database, skipped by name when the database is not here. */
export function eachDatabase(
  subject: string,
  define: (it: (sentence: string, body: (fresh: Fresh) => Promise<void>) => void, name: DatabaseName) => void,
): void {
  for (const name of ["sqlite", "mysql"] as const) {
    const reason = name === "mysql" ? withoutMysql : undefined;
    describe(`${subject}, on ${name}`, (it) => {
      define((sentence, body) => it.unless(reason, sentence, () => withFresh(name, body)), name);
    });
  }
}

export interface Fresh {
  url: string;
  root: string;
  name: DatabaseName;
  /** Boots the plugin on the fresh database; closed again at the end of the test. */
  open(
    models?: Record<string, ModelClass>,
    options?: DatabaseOptions & { env?: string; plugins?: Plugin[]; secrets?: readonly string[] },
  ): Promise<Database>;
}

async function withFresh(name: DatabaseName, body: (fresh: Fresh) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "framewright-database-"));
  const { url, drop } =
    name === "mysql" ? await mysqlDatabase() : { url: `sqlite:${join(root, "test.sqlite3")}`, drop: async () => {} };
  const kernels: Kernel[] = [];
  const open: Fresh["open"] = async (models = {}, { env = "test", plugins = [], secrets, ...options } = {}) => {
    const settings = { root, env, databaseUrl: url, secrets } as unknown as Settings;
    const kernel = await openKernel([database(options), ...plugins], {
      settings,
      load: (opening) => {
        for (const [constant, cls] of Object.entries(models))
          opening.service("database").register(constant, cls, `${constant}.ts`);
      },
    });
    kernels.push(kernel);
    return kernel.service("database");
  };
  try {
    await body({ url, root, name, open });
  } finally {
    for (const kernel of kernels.reverse()) await kernel.close();
    await drop();
    await rm(root, { recursive: true, force: true });
  }
}

let count = 0;
async function mysqlDatabase() {
  const server = new URL(process.env.FW_TEST_MYSQL_URL!);
  const database = `fw_database_${process.pid}_${++count}`;
  server.pathname = "/";
  const run = async (sql: string) => {
    const connection = await mysql.createConnection(server.href);
    await connection.query(sql);
    await connection.end();
  };
  await run(`create database ${database} character set utf8mb4`);
  return { url: new URL(`/${database}`, server).href, drop: () => run(`drop database ${database}`) };
}

export type Say = (t: TableBuilder) => void;
