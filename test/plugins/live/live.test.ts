import { setTimeout as sleep } from "node:timers/promises";
import type { BaseModel } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { send } from "../notifications/notifications_app.ts";
import { ann, bob, cat, Events, liveFiles, openLive, streamOf, until } from "./live_app.ts";

const QUIET_MS = 350;
const list = streamOf("tasks");

for (const database of await databases({ withPostgres: true, mysqlInSoak: true })) {
  describe(`Streams of changes, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const opened: Events[] = [];
    if (database.skip === undefined) {
      before(async () => {
        app = await openLive(liveFiles('this.action("destroy", { bulk: true });'), await database.values());
      });
      after(async () => {
        for (const events of opened) events.close();
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, run: () => Promise<void>) => it.unless(database.skip, sentence, run);
    const canOnce = database.name === "sqlite" ? can : () => undefined; // nothing of it is the database's
    const open = async (path: string, headers: Record<string, string> = ann) => {
      const events = await Events.open(app, path, headers);
      opened.push(events);
      return events;
    };
    /** Streams that are read while something is done, and what each of them was sent. */
    const heard = async (paths: readonly string[], work: () => PromiseLike<unknown>, headers = ann) => {
      await sleep(150); // what was changed before is gathered for as long
      const streams = await Promise.all(paths.map((path) => open(path, headers)));
      assert.equal(
        streams.map(({ status }) => status),
        paths.map(() => 200),
      );
      await sleep(50);
      await work();
      await sleep(QUIET_MS);
      for (const events of streams) events.close();
      return streams.map(({ names }) => names.join());
    };
    const model = (name: string) => databaseOf(app.application).model(name).class as unknown as typeof BaseModel;
    const change = (name: string, id: number, values: Record<string, unknown>) =>
      databaseOf(app.application)
        .query(model(name) as never)
        .findById(id)
        .patch(values as never);
    const json = (path: string, method: string, body: unknown, headers = cat) =>
      app.request(path, {
        method,
        body: JSON.stringify(body),
        headers: { ...headers, accept: "application/json", "content-type": "application/json" },
      });

    can(
      "A record changed by JSON, by code, in bulk and by a deletion is followed by its list and its page",
      async () => {
        const pages = [list, streamOf("tasks/1"), streamOf("tasks/2"), `${streamOf("tasks/1")}?form=1`];
        const byJson = await heard(pages, async () => {
          const answer = await json("/customer/1/tasks/1", "PATCH", { task: { title: "By JSON" } });
          assert.is(answer.status, 200, await answer.text());
        });
        assert.equal(byJson, ["page", "page", "", "page"]);
        const byCode = await heard(pages, () => change("Task", 2, { title: "By code" }));
        assert.equal(byCode, ["page", "", "page", ""]);
        const { status } = await json("/customer/1/tasks", "POST", { task: { title: "New", author: 3 } });
        assert.is(status, 201);
        const stored = await databaseOf(app.application).knex("tasks").where({ title: "New" }).first("id");
        const inBulk = await heard([list, streamOf("tasks/2")], async () => {
          const answer = await json("/customer/1/tasks/bulk/destroy", "POST", { ids: [2] });
          assert.is(answer.status, 200, await answer.text());
        });
        assert.equal(inBulk, ["page", "end"]);
        const deleted = await heard([list, streamOf(`tasks/${stored.id}`)], async () => {
          const query = databaseOf(app.application).query(model("Task") as never);
          await query.deleteById(stored.id);
        });
        assert.equal(deleted, ["page", "end"], "the page of a deleted record is over");
      },
    );

    can(
      "Nothing is sent for another tenant's records, nor before a transaction is committed or after a rollback",
      async () => {
        const sent = await heard([list, streamOf("posts"), streamOf("comments"), streamOf("tasks/1")], async () => {
          await change("Task", 90, { title: "Theirs" });
          await change("Post", 2, { title: "Theirs" });
          await change("Comment", 2, { title: "Theirs" });
          await databaseOf(app.application)
            .transaction(async (transaction) => {
              await databaseOf(app.application)
                .query(model("Task") as never, transaction)
                .findById(1)
                .patch({ title: "Never" } as never);
              throw new Error("rolled back");
            })
            .catch(() => undefined);
        });
        assert.equal(sent, ["", "", "", ""]);
        const moved = await heard([list], () => change("Task", 90, { organization_id: 1 }));
        assert.equal(moved, ["page"], "one that comes from there");
        assert.equal(
          await heard([list], () => change("Task", 90, { organization_id: 2 })),
          ["page"],
          "one that leaves",
        );
      },
    );

    can(
      "A tenant that is found by an association is, and cells with the label of another record follow it",
      async () => {
        const comments = await heard([streamOf("comments"), streamOf("posts/1")], () =>
          change("Comment", 1, { title: "Comment Alpine!" }),
        );
        assert.equal(comments, ["page", "page"]);
        const below = ["posts/1/nested_comments", "posts/1/nested_comments/1", "posts/1/nested_note"].map(streamOf);
        const nested = await heard(below, () => change("Comment", 1, { title: "Comment Alpine" }));
        assert.equal(nested, ["page", "page", ""], "below their parent");
        const shared = await heard([streamOf("categories"), streamOf("users")], () =>
          change("Category", 1, { name: "Shared by all" }),
        );
        assert.equal(shared, ["page", ""], "by the scope of the model");
        const strangers = await heard([streamOf("users"), list], () => change("User", 2, { name: "Bob B." }));
        assert.equal(strangers, ["", ""], "by memberships: Bob is none of theirs");
        const authors = await heard([list, streamOf("tasks/1"), streamOf("comments")], () =>
          change("User", 3, { name: "Catherine" }),
        );
        assert.equal(authors, ["page", "page", ""]);
      },
    );

    canOnce("The bell follows what is sent to its account, on any page", async () => {
      const paths = [list, "/customer/1/_live"];
      const own = await heard(paths, () => send(app, 1, { title: "For Ann" }, { tenant: 1 }));
      assert.equal(own, ["bell", "bell"]);
      const others = await heard(paths, () => send(app, 3, { title: "For Cat" }, { tenant: 1 }));
      assert.equal(others, ["", ""]);
    });

    canOnce("Many changes are one event at a time", async () => {
      const events = await open(list);
      for (let turn = 0; turn < 15; turn++) {
        await change("Task", 1, { title: `Turn ${turn}` });
        await sleep(20);
      }
      await sleep(QUIET_MS);
      assert.equal(events.names, ["page"]);
      await events.next("page", 3000);
      events.close();
    });

    canOnce("What changed between a page and its stream is sent at once; what did not is not", async () => {
      const at = Date.now();
      await change("Task", 1, { title: "In between" });
      await sleep(200);
      assert.equal(await heard([`${list}?at=${at}`, `${list}?at=${Date.now()}`], async () => undefined), ["page", ""]);
      const answer = await json("/customer/1/tasks/1", "PATCH", { task: { title: "Then the list" } });
      assert.is(answer.status, 200);
      const page = await (await app.request("/customer/1/tasks", { headers: ann })).text();
      const [, own] = /data-live-url="([^"]+)"/.exec(page)!;
      const events = await open(own!);
      await sleep(QUIET_MS);
      assert.equal(events.names, [], "a page that was requested after a change has it");
      events.close();
    });

    canOnce("No stream of what the person may not see: as for the page", async () => {
      const statuses = async (headers: Record<string, string>, ...paths: string[]) =>
        Promise.all(paths.map(async (path) => (await open(path, headers)).status));
      assert.equal(
        await statuses(ann, streamOf("tasks/3"), streamOf("tasks/90"), streamOf("tasks/12345")),
        [404, 404, 404],
      );
      assert.equal(await statuses(bob, list, streamOf("tasks/1"), "/customer/1/_live"), [404, 404, 404]);
      assert.equal(await statuses({}, list), [401], "guests");
      const locked = await open(`${streamOf("tasks/1")}?form=1`);
      assert.is(locked.status, 200);
      const asPage = await app.request(list, { headers: ann });
      assert.is(asPage.status, 406, "one that is no request for events");
    });

    canOnce("Its head says that nothing may keep, change or gather it", async () => {
      const { headers, status } = await open(list);
      assert.is(status, 200);
      assert.is(headers["content-type"], "text/event-stream; charset=utf-8");
      assert.match(headers["cache-control"]!, /no-store/);
      assert.is(headers["x-accel-buffering"], "no");
      assert.is(headers["content-encoding"], undefined);
      assert.is(headers["set-cookie"], undefined);
      const head = await app.request(list, { method: "HEAD", headers: { ...ann, accept: "text/event-stream" } });
      assert.is(head.status, 200);
    });

    can("A membership that is taken away ends the stream at the next event", async () => {
      const { knex } = databaseOf(app.application);
      const events = await open(list, cat);
      await knex("memberships").where({ user_id: 3, organization_id: 1 }).delete();
      try {
        await change("Task", 1, { title: "After that" });
        await events.ended();
        assert.equal(events.names, ["end"]);
        await until(async () => (await Events.open(app, list, cat)).status === 404, "404");
      } finally {
        await knex("memberships").insert({ user_id: 3, organization_id: 1 });
      }
    });
  });
}
