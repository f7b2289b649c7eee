import { openKernel, type Settings } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import type { Knex } from "knex";
import { mysqlReplication } from "../../../plugins/database/drivers/mysql/replication.ts";
import { isRead, readsOneTable } from "../../../plugins/database/replicas/one_table.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const opened = (databaseUrl: string | undefined, DATABASE_REPLICA_URLS: string) =>
  openKernel([database()], {
    settings: { root: process.cwd(), env: "production", databaseUrl, secrets: ["x".repeat(40)] } as unknown as Settings,
    values: { DATABASE_REPLICA_URLS },
  });

describe("The addresses of replicas", (it) => {
  it("FW_DATABASE_REPLICAS says at boot what is wrong with them, without a password", async () => {
    const refused = async (urls: string, databaseUrl: string | undefined = "mysql://me:secret@db1/shop") => {
      const { message } = await throwsCode("FW_DATABASE_REPLICAS", () => opened(databaseUrl, urls));
      assert.not.match(message, /secret/);
      return message;
    };
    const fine = "mysql://me:secret@db2/shop";
    assert.match(await refused(fine, "sqlite::memory:"), /the driver "sqlite".* reads no replicas/);
    assert.match(await refused(fine, "mysql://me:secret@db1,db3/shop"), /DATABASE_URL names several hosts/);
    assert.match(await refused(`${fine},mysql://me:secret@db3,db4/shop`), /number 2 names several hosts/);
    assert.match(await refused(`${fine}, postgres://me:secret@db3/shop`), /number 2 is no address/);
    assert.match(await refused("db2:3306"), /number 1 is no address/);
    assert.match(await refused("mysql://me:secret@/shop"), /number 1/);
  });
});

describe("Statements that a replica answers", (it) => {
  it("Those that read one table alone: what looks into another may decide what a person sees", () => {
    const one = [
      "select `posts`.* from `posts` where `posts`.`id` = ? limit ?",
      "select count(*) as `total` from (select 1 from `posts` where `a` = ? limit ?) as `counted`",
      "select `a`, `b` from `posts` where `id` in (?, ?)",
      'select "posts".* from "posts" where "id" = ? limit ?',
      "select * from `posts` where `id` in (select `id` from `posts` where `status` = ?)",
    ];
    for (const sql of one) assert.ok(readsOneTable(sql), sql);
    const others = [
      "select * from `posts` where exists (select 1 from `members` where `members`.`id` = ?)",
      "select `posts`.* from `posts` inner join `users` on `users`.`id` = `posts`.`author_id`",
      "select * from posts, members where posts.id = members.post_id",
      "select * from posts p, members m",
      "select * from (select 1 from posts) as p, members m",
      "select * from posts p join posts q on p.id = q.id, members m",
      "select * from `posts` where id in (select post_id from/**/members)",
      "select * from `posts` where id in (select post_id from (members))",
      "select * from `posts` straight_join `members`",
      "select * from `posts` where exists (select 1 from(members))",
      "select * from `shop`.`posts` where id in (select id from `other`.`posts`)",
      "select * from `posts` where `id` = ? for update",
      "select * from `posts` lock in share mode",
      "select get_lock('x', 1)",
      "with `a` as (select 1 from `posts`) select * from `a`",
      "update `posts` set `a` = ?",
      "delete from `posts`",
    ];
    for (const sql of others) assert.not(readsOneTable(sql), sql);
    assert.ok(isRead(others[1]!));
    for (const sql of others.slice(-6, -4)) assert.not(isRead(sql), sql);
  });
});

/** A server that answers statements from a table, and notes what it was sent. */
function answering(answers: Record<string, unknown>) {
  const sent: unknown[][] = [];
  const raw = async (sql: string, values: readonly unknown[]) => {
    sent.push([sql, ...values]);
    const value = answers[sql];
    if (value instanceof Error) throw value;
    return [[{ value }]];
  };
  return { knex: { raw, client: {} } as unknown as Knex, sent };
}
const uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

describe("Positions of a primary", (it) => {
  it("MariaDB's and MySQL's are read and waited for by their own statements, and no other text is one", async () => {
    const { has, isPosition, position } = mysqlReplication;
    for (const text of ["0-1-270", "0-1-270,1-2-14", `${uuid}:1-5`, `${uuid}:1-5:9`, `${uuid}:1,${uuid}:shop:1-3`])
      assert.ok(isPosition(text), text);
    for (const text of ["", "0-1", "0-1-1;", "0-1-1 or 1", `${uuid}`, `${uuid}:1')`, "x".repeat(99), "0-1-1,"])
      assert.not(isPosition(text), text);
    const waits = "select master_gtid_wait(?, ?) as value";
    const mariadb = answering({ "select @@global.gtid_binlog_pos as value": "0-1-7", [waits]: 0 });
    assert.is(await position(mariadb.knex), "0-1-7");
    assert.ok(await has(mariadb.knex, "0-1-7", 1000));
    assert.equal(mariadb.sent.at(-1), [waits, "0-1-7", 1]);
    assert.not(await has(answering({ [waits]: -1 }).knex, "0-1-7", 0));
    const unlogged = answering({ "select @@global.gtid_binlog_pos as value": "" });
    assert.is(await position(unlogged.knex), undefined);

    const mysqlWaits = "select wait_for_executed_gtid_set(?, ?) as value";
    const isThere = "select gtid_subset(?, @@global.gtid_executed) as value";
    const mysql = answering({
      "select @@global.gtid_binlog_pos as value": Object.assign(new Error("unknown"), { errno: 1193 }),
      "select @@global.gtid_executed as value": `${uuid}:1-5,\n${uuid}:9`,
      [mysqlWaits]: 1,
      [isThere]: 1,
    });
    assert.is(await position(mysql.knex), `${uuid}:1-5,${uuid}:9`);
    assert.is(await position(mysql.knex), `${uuid}:1-5,${uuid}:9`);
    assert.is(mysql.sent.length, 3, "the variable of MariaDB was asked for once");
    assert.not(await has(mysql.knex, `${uuid}:1-5`, 500), "1 is a wait that ended without it");
    assert.ok(await has(mysql.knex, `${uuid}:1-5`, 0), "without a time it would wait for ever");
  });
});
