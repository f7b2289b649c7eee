import { setTimeout as sleep } from "node:timers/promises";
import { openSealer } from "framewright/host";
import { openKernel, type Settings } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { isRead, readsOneTable } from "../../../plugins/database/replicas/one_table.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { ReplicatedApp } from "./replicas_app.ts";

const withoutMariadb = await reasonToSkip("mariadb");
const posts = "/customer/1/posts";

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
      "select * from `posts` where `id` in (select `id` from `posts` where `status` = ?)",
    ];
    for (const sql of one) assert.ok(readsOneTable(sql), sql);
    const others = [
      "select * from `posts` where exists (select 1 from `members` where `members`.`id` = ?)",
      "select `posts`.* from `posts` inner join `users` on `users`.`id` = `posts`.`author_id`",
      "select * from posts, members where posts.id = members.post_id",
      "select * from posts p, members m",
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
    for (const sql of others.slice(5, 7)) assert.not(isRead(sql), sql);
  });
});

describe("Replicas of a database", (it) => {
  it.unless(
    withoutMariadb,
    "Pages are read from a late replica, the person who wrote sees it on every process, and what is taken away is gone at once",
    async () => {
      await ReplicatedApp.run(async (app) => {
        const { servers, known } = app;
        for (const path of [posts, `${posts}/1`, `${posts}?search=x`, "/customer/1/comments/typeahead/post"]) {
          await servers.forget();
          const { status } = await app.request(0, path, known.ann);
          assert.is(status, 200, path);
          assert.ok((await servers.asked("replica", "posts")) > 0, `${path} was not read from the replica`);
          assert.is(await servers.asked("primary", "posts"), 0, path);
          for (const table of ["user_active_session_keys", "memberships", "organizations"])
            assert.is(await servers.asked("replica", table), 0, `${path}: ${table}`);
        }

        const shown = await app.create(0, known.ann, "While it follows");
        assert.is(shown.status, 201, shown.text);
        await servers.forget();
        const next = await app.request(1, posts, app.with(known.ann, shown.written));
        assert.match(next.text, /While it follows/);
        assert.ok((await servers.asked("replica", "posts")) > 0, "it waited for the replica");
        assert.ok(next.milliseconds < 900, `${next.milliseconds} ms`);

        await servers.run("replica", "stop slave sql_thread"); // late from now on
        const made = await app.create(0, known.ann, "Made late");
        const id = /"id":\s*(\d+)/.exec(made.text)![1]!;
        const ann = app.with(known.ann, made.written);
        for (const process of [0, 1]) {
          assert.match((await app.request(process, posts, ann)).text, /Made late/);
          assert.match((await app.request(process, `${posts}/${id}`, ann)).text, /Made late/);
        }
        const page = await app.request(1, `${posts}/${id}`, { ...ann, accept: "text/html" });
        assert.match(page.text, /Made late/);
        const other = await app.request(1, posts, known.cat);
        assert.not.match(other.text, /Made late/, "others see the replica");
        const found = await app.request(1, `${posts}/${id}`, known.cat);
        assert.is(found.status, 200, "what the replica lacks is on the primary");
        const bearer = await app.request(1, posts, { ...known.cat, authorization: "Bearer x" });
        assert.is(bearer.status, 401);

        assert.match((await app.request(0, "/customer/1/categories", known.ann)).text, /Shared/);
        await servers.run("primary", "update test.users set name = 'Ann Gone' where id = 1");
        assert.not.match((await app.request(0, "/customer/1/categories", known.ann)).text, /Shared/);
        await servers.run("primary", "delete from test.memberships where user_id = 1");
        for (const process of [0, 1]) assert.is((await app.request(process, posts, known.ann)).status, 404);
        await servers.run("primary", "delete from test.user_active_session_keys where account_id = 3");
        for (const process of [0, 1]) assert.is((await app.request(process, posts, known.cat)).status, 401);
        assert.equal(app.output.match(/"level":(?:50|60).*/g), null);
      });
    },
    120_000,
  );

  it.unless(
    withoutMariadb,
    "A replica that is killed, stops, is too late or follows nothing fails no request, and is read again once it is back; a forged cookie does nothing",
    async () => {
      await ReplicatedApp.run(
        async (app) => {
          const { servers, known } = app;
          const statuses = new Map<number, number>();
          let isOver = false;
          const load = [0, 1, 0, 1].map(async (process) => {
            while (!isOver) {
              const { status } = await app.request(process, posts, known.cat);
              statuses.set(status, (statuses.get(status) ?? 0) + 1);
              await sleep(5);
            }
          });
          try {
            await sleep(500);
            await servers.replica.stop();
            await sleep(2000);
            await servers.startReplica();
            await servers.run("replica", "start slave").catch(() => undefined);
            await app.readsReplica();
            servers.replica.freeze();
            await sleep(4000);
            servers.replica.thaw();
            await app.readsReplica();
          } finally {
            isOver = true;
            await Promise.all(load);
          }
          assert.equal([...statuses.keys()], [200], JSON.stringify([...statuses]));
          console.log(
            `${statuses.get(200)} requests while the replica was killed, started, stopped and let on: all 200`,
          );

          await servers.forget();
          const other = openSealer(["another-secret-".repeat(4)], "written position").seal(
            `${Date.now()} 0-1-999999999`,
          );
          for (const forged of ["", "x", "A".repeat(3900), other, "..%2f..", "0-1-99999999999"]) {
            const answer = await app.request(0, posts, app.with(known.cat, forged));
            assert.is(answer.status, 200);
            assert.ok(answer.milliseconds < 900, `${forged.slice(0, 20)}: ${answer.milliseconds} ms`);
          }
          const absurd = openSealer(["test-secret-".repeat(6)], "written position");
          for (const text of [
            `${Date.now()} 0-1-999999999`,
            `${Date.now()} 1' or sleep(9)='`,
            "999999999999999 0-1-1",
            "no",
          ]) {
            const answer = await app.request(0, posts, app.with(known.cat, absurd.seal(text)));
            assert.is(answer.status, 200);
            assert.ok(answer.milliseconds < 2500, `${text}: ${answer.milliseconds} ms`);
          }

          await servers.run("replica", "stop slave sql_thread");
          await servers.run("primary", "update test.posts set title = 'Renamed' where id = 1");
          await sleep(4000);
          assert.match(
            (await app.request(0, posts, known.cat)).text,
            /Renamed/,
            "beyond the limit the primary is read",
          );
          await servers.run("replica", "start slave sql_thread");
          await app.readsReplica();
        },
        { values: { DATABASE_REPLICA_MAX_LAG: "2" } },
      );
    },
    180_000,
  );
});
