import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { MIGRATIONS_TABLE } from "../../migrations/migration_files.ts";
import type { ConnectionOptions } from "../connection.ts";
import type { DatabaseCopy } from "../copy_database.ts";
import type { EmptyDatabase } from "../empty_database.ts";
import { storedName } from "../framework_names.ts";
import { addressWith, type MysqlAddress } from "./address.ts";
import { connectMysql } from "./connect.ts";

/** Rows are copied up to this number in all, as the server estimates it. */
const MAX_ROWS = 20_000;
const MAX_NAME = 64;

/** Creates the database `<name>_audit_<random>` on the same server, with the same tables. @throws FW_DATABASE_COPY */
export async function copyMysql(address: MysqlAddress, options: ConnectionOptions): Promise<DatabaseCopy> {
  const source = sourceOf(address);
  const name = nameBeside(source, "audit");
  const original = connectMysql(address, { ...options, pool: 1, statementTimeout: 0 });
  const remove = () => drop(address, options, name);
  try {
    await create(original, name, source).catch((error) => {
      throw errors.FW_DATABASE_COPY(whyNot(error, source, "audit"));
    });
    const without = await copyTables(original, source, name, storedName(MIGRATIONS_TABLE, options.frameworkPrefix));
    const isOpenedBy = async (knex: Knex) => {
      const [[row]] = (await knex.raw("select database() as opened")) as [[{ opened: string }]];
      return row.opened === name;
    };
    return { options: { ...options, url: addressWith(address, name) }, name, without, isOpenedBy, remove };
  } catch (error) {
    await remove().catch(() => undefined); // the user may not even create it
    throw error;
  } finally {
    await original.destroy();
  }
}

/** Creates the empty database `<name>_test_<random>` on the same server. @throws FW_DATABASE_EMPTY */
export async function createEmptyMysql(address: MysqlAddress, options: ConnectionOptions): Promise<EmptyDatabase> {
  const source = sourceOf(address);
  const name = nameBeside(source, "test");
  try {
    await withOriginal(address, options, (knex) => create(knex, name, source));
  } catch (error) {
    throw errors.FW_DATABASE_EMPTY(whyNot(error, source, "test"));
  }
  return { url: addressWith(address, name), name, remove: () => drop(address, options, name) };
}

const sourceOf = ({ url }: MysqlAddress): string => decodeURIComponent(url.pathname.slice(1));

function nameBeside(source: string, kind: string): string {
  const suffix = `_${kind}_${randomBytes(4).toString("hex")}`;
  return source.slice(0, MAX_NAME - suffix.length) + suffix;
}

const drop = (address: MysqlAddress, options: ConnectionOptions, name: string): Promise<void> =>
  withOriginal(address, options, (knex) => knex.raw("drop database if exists ??", [name]));

async function withOriginal(
  address: MysqlAddress,
  options: ConnectionOptions,
  work: (knex: Knex) => PromiseLike<unknown>,
): Promise<void> {
  const knex = connectMysql(address, { ...options, pool: 1, statementTimeout: 0 });
  try {
    await work(knex);
  } finally {
    await knex.destroy();
  }
}

async function create(knex: Knex, name: string, source: string): Promise<void> {
  const [[found]] = (await knex.raw(
    "select default_character_set_name as charset, default_collation_name as collation from information_schema.schemata where schema_name = ?",
    [source],
  )) as [[{ charset: string; collation: string }]];
  await knex.raw(`create database ?? character set ${found.charset} collate ${found.collation}`, [name]);
}

function whyNot(error: unknown, source: string, kind: string): string {
  const { errno, message } = error as { errno?: number; message: string };
  if (errno !== 1044 && errno !== 1045 && errno !== 1227) return message;
  return `its user may not create a database. Grant it on a server for development: grant all on \`${source.replaceAll("_", "\\_")}\\_${kind}\\_%\`.* to the user, or use SQLite`;
}

/** On one connection, which the temporary database is chosen for; with the rows of the table of migrations always. Returns what was left out. */
async function copyTables(knex: Knex, source: string, name: string, migrations: string): Promise<string | undefined> {
  const [tables] = (await knex.raw(
    "select table_name as `table`, table_rows as size from information_schema.tables where table_schema = ? and table_type = 'BASE TABLE'",
    [source],
  )) as [{ table: string; size: number | null }[]];
  const copiesRows = tables.reduce((sum, { size }) => sum + Number(size ?? 0), 0) <= MAX_ROWS;
  await knex.raw("set foreign_key_checks = 0");
  for (const { table } of tables) {
    await knex.raw("use ??", [source]);
    const [[shown]] = (await knex.raw("show create table ??", [table])) as [[Record<string, string>]];
    await knex.raw("use ??", [name]);
    await knex.raw(shown["Create Table"]!.replaceAll("?", "\\?"));
    if (copiesRows || table === migrations) await copyRows(knex, source, name, table);
  }
  return copiesRows ? undefined : `the rows, which are more than ${MAX_ROWS}`;
}

async function copyRows(knex: Knex, source: string, name: string, table: string): Promise<void> {
  const [columns] = (await knex.raw(
    "select column_name as `column` from information_schema.columns where table_schema = ? and table_name = ? and generation_expression is null or table_schema = ? and table_name = ? and generation_expression = '' order by ordinal_position",
    [source, table, source, table],
  )) as [{ column: string }[]];
  const names = columns.map(({ column }) => column);
  const list = names.map(() => "??").join(", ");
  await knex.raw(`insert into ??.?? (${list}) select ${list} from ??.??`, [
    ...[name, table, ...names],
    ...[...names, source, table],
  ]);
}
