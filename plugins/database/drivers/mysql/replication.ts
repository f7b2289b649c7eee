import type { Knex } from "knex";
import type { Replication } from "../driver.ts";
import { parseMysqlAddress } from "./address.ts";
import { connectMysql } from "./connect.ts";

/** MariaDB's, as in `0-1-270,1-2-14`. */
const MARIADB = /^\d+-\d+-\d+(?:,\d+-\d+-\d+)*$/;
/** MySQL's: the numbers, and from 8.3 on the tags, of each server's UUID. */
const MYSQL = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::\w+(?:-\d+)?)+(?:,[0-9a-f-]{36}(?::\w+(?:-\d+)?)+)*$/i;
const UNKNOWN_VARIABLE = 1193;

/** Module-level: marks the client of a pool, and is freed with it. */
const withoutVariable = new WeakSet<object>();

async function selected(knex: Knex, sql: string, values: readonly unknown[] = []): Promise<unknown> {
  const [rows] = (await knex.raw(sql, values as Knex.RawBinding[])) as [{ value: unknown }[]];
  return rows[0]?.value;
}

/**
 * What the server has committed so far, and not the transaction of one connection: a request may write in several, and
 * one question after the last of them covers all. It waits for what others wrote just before as well.
 */
async function position(primary: Knex): Promise<string | undefined> {
  const text = String((await loggedPosition(primary)) ?? "").replace(/\s/g, "");
  return text === "" ? undefined : text;
}

async function loggedPosition(primary: Knex): Promise<unknown> {
  const { client } = primary as { client: object };
  if (!withoutVariable.has(client)) {
    try {
      return await selected(primary, "select @@global.gtid_binlog_pos as value");
    } catch (error) {
      if ((error as { errno?: number }).errno !== UNKNOWN_VARIABLE) throw error;
      withoutVariable.add(client);
    }
  }
  return selected(primary, "select @@global.gtid_executed as value");
}

/** MySQL waits for ever where it is given no time. */
async function has(replica: Knex, text: string, milliseconds: number): Promise<boolean> {
  const seconds = milliseconds / 1000;
  if (MARIADB.test(text))
    return Number(await selected(replica, "select master_gtid_wait(?, ?) as value", [text, seconds])) === 0;
  return milliseconds === 0
    ? Number(await selected(replica, "select gtid_subset(?, @@global.gtid_executed) as value", [text])) === 1
    : Number(await selected(replica, "select wait_for_executed_gtid_set(?, ?) as value", [text, seconds])) === 0;
}

async function problems(replica: Knex, primary: Knex): Promise<string[]> {
  const ids = await Promise.all([replica, primary].map((knex) => selected(knex, "select @@server_id as value")));
  if (ids[0] === ids[1])
    return [
      "it is the server in DATABASE_URL, or has the server_id of that one: name another server, with a server_id of its own",
    ];
  const isReadOnly = Number(await selected(replica, "select @@global.read_only as value")) === 1;
  return isReadOnly
    ? []
    : ["it is not read_only, so that what is written to it by mistake stays there: set read_only=ON"];
}

/** Replicas of MariaDB and MySQL, which are followed by the ids of transactions (GTID). */
export const mysqlReplication: Replication = {
  connect(options) {
    const address = parseMysqlAddress(options.url);
    return connectMysql(address, options, true);
  },
  position,
  isPosition: (text) => MARIADB.test(text) || MYSQL.test(text),
  has,
  problems,
};
