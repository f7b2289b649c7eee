import { randomBytes } from "node:crypto";
import {
  type ConnectionOptions,
  copyFailed,
  type DatabaseCopy,
  type EmptyDatabase,
} from "framewright/plugins/database";
import type { Knex } from "knex";
import { addressOf, parseAddress } from "./address.ts";
import { connectServer } from "./connect.ts";
import { dumpInto } from "./dump.ts";

const MAX_NAME = 63;
/** The SQLSTATE of a template that others are connected to. */
const IN_USE = "55006";

/** Creates the database `<name>_audit_<random>` on the same server, with the same tables and rows. @throws FW_DATABASE_COPY */
export async function copyServer(options: ConnectionOptions & { url: string }): Promise<DatabaseCopy> {
  const { source, name, url } = beside(options.url, "audit");
  const onServer = (work: (knex: Knex) => PromiseLike<unknown>) => withMaintenance(options, work);
  try {
    await onServer((knex) => knex.raw("create database ?? template ??", [name, source]));
  } catch (error) {
    if ((error as { code?: unknown }).code !== IN_USE)
      throw copyFailed(`${(error as Error).message}. Its user needs the right createdb`);
    await onServer((knex) => knex.raw("create database ??", [name]));
    await dumpInto(options.url, url).catch(async (failure: Error) => {
      await onServer((knex) => knex.raw("drop database if exists ??", [name]));
      throw copyFailed(
        `${source} is in use, and pg_dump and psql could not copy it: ${failure.message}. Install them in the server's version, apt-get install postgresql-client, or stop what uses it`,
      );
    });
  }
  return {
    options: { ...options, url },
    name,
    without: undefined,
    isOpenedBy: async (knex) => (await knex.raw("select current_database() as opened")).rows[0].opened === name,
    remove: async () => void (await onServer((knex) => knex.raw("drop database if exists ??", [name]))),
  };
}

/** Creates the empty database `<name>_test_<random>` on the same server, for a test. */
export async function createEmptyServer(options: ConnectionOptions & { url: string }): Promise<EmptyDatabase> {
  const { name, url } = beside(options.url, "test");
  const onServer = (work: (knex: Knex) => PromiseLike<unknown>) => withMaintenance(options, work);
  await onServer((knex) => knex.raw("create database ??", [name]));
  return {
    url,
    name,
    remove: async () => void (await onServer((knex) => knex.raw("drop database if exists ??", [name]))),
  };
}

function beside(address: string, kind: string): { source: string; name: string; url: string } {
  const source = parseAddress(address).database;
  const suffix = `_${kind}_${randomBytes(4).toString("hex")}`;
  const name = source.slice(0, MAX_NAME - suffix.length) + suffix;
  return { source, name, url: addressOf(address, name) };
}

/** The template may have no connection: this one is to the server's own database. */
async function withMaintenance(
  options: ConnectionOptions & { url: string },
  work: (knex: Knex) => PromiseLike<unknown>,
): Promise<void> {
  const knex = connectServer({ ...options, url: addressOf(options.url, "postgres"), pool: 1, statementTimeout: 0 });
  try {
    await work(knex);
  } finally {
    await knex.destroy();
  }
}
