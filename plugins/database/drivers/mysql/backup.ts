import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "framewright/kernel";
import type { Knex } from "knex";
import type { BackupFormat, BackupOptions } from "../../backups/format.ts";
import { checkDump, runTool, type Tool } from "../../backups/tool.ts";
import { type Host, type MysqlAddress, parseMysqlAddress } from "./address.ts";
import { connectMysql } from "./connect.ts";

const install = "apt-get install mariadb-client, or mysql-client";
const LAST_LINE = "-- Dump completed";
/** What a client prints of an unavailable server: another one is tried then. */
const NO_SERVER = /\b200[235]\b/;

/** By the programs that come with the server: one transaction reads all tables. */
export const mysqlBackup: BackupFormat = {
  extension: "sql",
  nameOf: ({ url }) => databaseOf(parseMysqlAddress(url)),
  async save({ url }, file) {
    const args = ["--single-transaction", "--quick", "--routines", "--hex-blob", "--no-tablespaces"];
    await runOn(parseMysqlAddress(url), args, { names: ["mariadb-dump", "mysqldump"], install, output: file });
  },
  check: async (_, file) => checkDump(file, LAST_LINE),
  async restore(options, file) {
    const address = parseMysqlAddress(options.url);
    const client = { names: ["mariadb", "mysql"], install } as const;
    await runOn(address, ["--execute=select 1"], client); // before anything is dropped
    await dropTables(address, options);
    await runOn(address, [], { ...client, input: file });
  },
};

const databaseOf = ({ url }: MysqlAddress): string => decodeURIComponent(url.pathname.slice(1));

/** What the file lacks would be in the way of the migration that creates it. */
async function dropTables(address: MysqlAddress, options: BackupOptions): Promise<void> {
  const knex = connectMysql(address, { ...options, pool: 1, statementTimeout: 0 });
  try {
    await knex.raw("set foreign_key_checks = 0");
    for (const { name, type } of await tablesAndViews(knex))
      await knex.raw(`drop ${type === "VIEW" ? "view" : "table"} if exists ??`, [name]);
  } finally {
    await knex.destroy();
  }
}
async function tablesAndViews(knex: Knex): Promise<{ name: string; type: string }[]> {
  const [rows] = (await knex.raw(
    "select table_name as name, table_type as type from information_schema.tables where table_schema = database()",
  )) as [{ name: string; type: string }[]];
  return rows;
}

/** Runs a program on the first server that answers. */
async function runOn(address: MysqlAddress, args: readonly string[], tool: Omit<Tool, "args">): Promise<void> {
  for (const host of address.hosts) {
    const settings = join(tmpdir(), `fw-${randomBytes(8).toString("hex")}.cnf`);
    writeFileSync(settings, settingsOf(address, host), { mode: 0o600, flag: "wx" });
    try {
      return await runTool({ ...tool, args: [`--defaults-file=${settings}`, ...args, databaseOf(address)] });
    } catch (error) {
      if (host === address.hosts.at(-1) || !NO_SERVER.test(messageOf(error))) throw error;
    } finally {
      rmSync(settings, { force: true });
    }
  }
}

/** A file that this user alone reads: arguments of a program are seen by everybody. */
function settingsOf({ url }: MysqlAddress, { host, port }: Host): string {
  const socket = url.searchParams.get("socket");
  const isEncrypted = url.searchParams.get("ssl") === "true";
  const line = (name: string, value: string) => `${name}="${value.replaceAll(/["\\]/g, "\\$&")}"`;
  // "loose": each server's programs know one of the two.
  const encryption = isEncrypted
    ? ["loose-ssl=1", "loose-ssl-verify-server-cert=1", "loose-ssl-mode=VERIFY_IDENTITY"]
    : ["loose-ssl=0", "loose-ssl-mode=DISABLED", "loose-get-server-public-key=1"];
  return [
    "[client]",
    ...(socket ? [line("socket", socket)] : [line("host", host), `port=${port}`, "protocol=TCP"]),
    line("user", decodeURIComponent(url.username)),
    line("password", decodeURIComponent(url.password)),
    "default-character-set=utf8mb4",
    ...encryption,
    "[mysqldump]",
    "loose-set-gtid-purged=OFF",
    "loose-column-statistics=0",
    "",
  ].join("\n");
}
