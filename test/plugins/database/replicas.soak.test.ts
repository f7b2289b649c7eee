import { setTimeout as sleep } from "node:timers/promises";
import { openSealer } from "framewright/host";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { ReplicatedApp } from "./replicas_app.ts";

const withoutMariadb = await reasonToSkip("mariadb");
const posts = "/customer/1/posts";

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

          const other = openSealer(["another-secret-".repeat(4)], "written position").seal(
            `${Date.now()} 0-1-999999999`,
          );
          for (const forged of ["", "x", "A".repeat(3900), other, "..%2f..", "0-1-99999999999"]) {
            const answer = await app.request(0, posts, app.with(known.cat, forged));
            assert.is(answer.status, 200);
            assert.ok(answer.milliseconds < 900, `${forged.slice(0, 20)}: ${answer.milliseconds} ms`);
          }
          const absurd = openSealer(
            ["b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19"],
            "written position",
          );
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

          const before = await app.request(0, posts, known.cat);
          await app.readsReplica(); // a machine that stood still for the limit reads the primary for a moment
          const after = await app.request(0, posts, known.cat);
          assert.ok(after.counts.replica > before.counts.replica, "host.observe tells which server answered");
          assert.ok(after.counts.primary > before.counts.primary);

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
        { values: { DATABASE_REPLICA_MAX_LAG: "2", FW_TEST_COUNT: "1" } },
      );
    },
    180_000,
  );

  it.unless(
    withoutMariadb,
    "With a replica that is 5 s late the person who wrote sees it at the next request, and others 5 s later; fw doctor says what is wrong with a replica",
    async () => {
      await ReplicatedApp.run(
        async (app) => {
          const { servers, known } = app;
          const waits: number[] = [];
          const start = performance.now();
          for (let round = 0; round < 4; round++) {
            const made = await app.create(round % 2, known.ann, `Made in round ${round}`);
            const seen = await app.request((round + 1) % 2, posts, app.with(known.ann, made.written));
            assert.match(seen.text, `Made in round ${round}`);
            waits.push(Math.round(seen.milliseconds));
            assert.not.match((await app.request(round % 2, posts, known.cat)).text, `Made in round ${round}`);
          }
          assert.ok(
            performance.now() - start < 5000,
            "the rounds were over before the first of them reached the replica",
          );
          console.log(`the writer's next request, with a replica that is 5 s late: ${waits.join(", ")} ms`);
          for (const process of [0, 1]) assert.ok(waits.filter((_, round) => (round + 1) % 2 === process)[1]! < 700);
          await servers.caughtUp();
          assert.match((await app.request(0, posts, known.cat)).text, /Made in round 3/);

          const { primary, replica } = servers;
          assert.match(
            await app.doctor(replica.url),
            /ok.*database replica 127\.0\.0\.1:\d+: has what the primary has/,
          );
          const away = "mysql://root:hidden@127.0.0.1:1/test";
          const both = await app.doctor(`${primary.url},${away}`);
          assert.match(both, /it is the server in DATABASE_URL/);
          assert.match(both, /127\.0\.0\.1:1: it can't be read, and the primary is/);
          assert.not.match(both, /hidden/);
          await servers.run("replica", "stop slave");
          await servers.run("replica", "set global read_only = OFF");
          await servers.run("primary", "update test.posts set title = 'Unseen' where id = 1");
          const stopped = await app.doctor(replica.url);
          assert.match(stopped, /it is not read_only/);
          assert.match(stopped, /it is more than 2 s late/);
        },
        { delay: 5 },
      );
    },
    180_000,
  );
});
