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
import {
  createPglite,
  type DatabaseName,
  driverPlugins,
  mysqlStatement,
  postgresStatement,
  testedDatabases,
} from "../../support/databases.ts";
import { describe, reasonToSkip } from "../../support/index.ts";

export type { DatabaseName } from "../../support/databases.ts";

export function isPostgres(name: DatabaseName): boolean {
  return name === "postgres" || name === "pglite";
}

// Before any group is defined: groups that are defined later than the first tick run twice.
const skips: Readonly<Record<DatabaseName, string | undefined>> = {
  sqlite: undefined,
  mysql: await reasonToSkip("mysql"),
  postgres: await reasonToSkip("postgres"),
  pglite: await reasonToSkip("pglite"),
};
/** PostgreSQL in the process besides, where it is not tested on a server. */
const names: readonly DatabaseName[] = [
  ...testedDatabases(),
  ...(testedDatabases().some(isPostgres) ? [] : (["pglite"] as const)),
];
/** Those of PostgreSQL. */
export const postgresNames = names.filter(isPostgres);

/** The same tests on each database, or on those of FW_TEST_DATABASES, or these; a group a database, skipped by name when it is not here. */
export function eachDatabase(
  subject: string,
  define: (it: (sentence: string, body: (fresh: Fresh) => Promise<void>) => void, name: DatabaseName) => void,
  of: readonly DatabaseName[] = names,
): void {
  for (const name of of) {
    describe(`${subject}, on ${name}`, (it, { after }) => {
      define((sentence, body) => it.unless(skips[name], sentence, () => withFresh(name, body)), name);
      if (name === "pglite") after(closePglite);
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
  const { url, drop } = await create[name](root);
  const drivers = await driverPlugins(url);
  const kernels: Kernel[] = [];
  const open: Fresh["open"] = async (models = {}, { env = "test", plugins = [], secrets, ...options } = {}) => {
    const { DATABASE_SQLITE } = process.env; // for a run of these tests on another library
    const settings = { root, env, databaseUrl: url, secrets, values: process.env } as unknown as Settings;
    const kernel = await openKernel([database(options), ...drivers, ...plugins], {
      ...{ settings, values: { DATABASE_SQLITE } },
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

interface Made {
  url: string;
  drop(): Promise<unknown>;
}
const create: Readonly<Record<DatabaseName, (root: string) => Promise<Made>>> = {
  sqlite: async (root) => ({ url: `sqlite:${join(root, "test.sqlite3")}`, drop: async () => undefined }),
  mysql: () => onServer(process.env.FW_TEST_MYSQL_URL!, mysqlStatement, "character set utf8mb4"),
  postgres: () => onServer(process.env.FW_TEST_POSTGRES_URL!, postgresStatement),
  pglite: async () => {
    shared ??= openPglite();
    const { url, knex } = await shared;
    return { url, drop: () => knex.raw("drop schema public cascade; create schema public") };
  },
};

/** Module-level: the database in the process that a group's tests have one after the other, open until its end. */
let shared: ReturnType<typeof openPglite> | undefined;
async function openPglite() {
  const { url, drop } = await createPglite();
  const settings = { root: "/", env: "test", databaseUrl: url } as unknown as Settings;
  const kernel = await openKernel([database(), ...(await driverPlugins(url))], { settings });
  const { knex } = kernel.service("database");
  await knex.raw("select 1");
  const close = () => kernel.close().finally(drop);
  return { url, knex, close };
}
async function closePglite(): Promise<void> {
  const opened = shared;
  shared = undefined;
  await (await opened)?.close();
}

let count = 0;
async function onServer(address: string, run: typeof mysqlStatement, more = ""): Promise<Made> {
  const name = `fw_database_${process.pid}_${++count}`;
  await run(address, `create database ${name} ${more}`);
  return { url: new URL(`/${name}`, address).href, drop: () => run(address, `drop database ${name}`) };
}

export type Say = (t: TableBuilder) => void;
