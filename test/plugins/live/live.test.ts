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
    /** Reads streams while something is done: those that are to be sent something are waited for, then all are compared. */
    const hears = async (
      expected: Record<string, string>,
      work: () => PromiseLike<unknown>,
      why?: string,
    ): Promise<void> => {
      await sleep(150); // what was changed before is gathered for as long
      const paths = Object.keys(expected);
      const streams = await Promise.all(paths.map((path) => open(path)));
      assert.equal(
        streams.map(({ status }) => status),
        paths.map(() => 200),
      );
      await sleep(50);
      await work();
      const isComplete = () => streams.every(({ names }, index) => names.length > 0 || !expected[paths[index]!]);
      for (const end = performance.now() + 5000; performance.now() < end && !isComplete(); ) await sleep(20);
      await sleep(QUIET_MS);
      for (const events of streams) events.close();
      const sent = Object.fromEntries(streams.map(({ names }, index) => [paths[index]!, names.join()]));
      assert.equal(sent, expected, why);
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
        const [one, two] = [streamOf("tasks/1"), streamOf("tasks/2")];
        const form = `${one}?form=1`;
        await hears({ [list]: "page", [one]: "page", [two]: "", [form]: "page" }, async () => {
          const answer = await json("/customer/1/tasks/1", "PATCH", { task: { title: "By JSON" } });
          assert.is(answer.status, 200, await answer.text());
        });
        const byCode = { [list]: "page", [one]: "", [two]: "page", [form]: "" };
        await hears(byCode, () => change("Task", 2, { title: "By code" }));
        const { status } = await json("/customer/1/tasks", "POST", { task: { title: "New", author: 3 } });
        assert.is(status, 201);
        const stored = await databaseOf(app.application).knex("tasks").where({ title: "New" }).first("id");
        await hears({ [list]: "page", [two]: "end" }, async () => {
          const answer = await json("/customer/1/tasks/bulk/destroy", "POST", { ids: [2] });
          assert.is(answer.status, 200, await answer.text());
        });
        await hears(
          { [list]: "page", [streamOf(`tasks/${stored.id}`)]: "end" },
          async () => {
            const query = databaseOf(app.application).query(model("Task") as never);
            await query.deleteById(stored.id);
          },
          "the page of a deleted record is over",
        );
      },
    );

    can(
      "Nothing is sent for another tenant's records, nor before a transaction is committed or after a rollback",
      async () => {
        const silent = { [list]: "", [streamOf("posts")]: "", [streamOf("comments")]: "", [streamOf("tasks/1")]: "" };
        await hears(silent, async () => {
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
        await hears({ [list]: "page" }, () => change("Task", 90, { organization_id: 1 }), "one that comes from there");
        await hears({ [list]: "page" }, () => change("Task", 90, { organization_id: 2 }), "one that leaves");
      },
    );

    can(
      "A tenant that is found by an association is, and cells with the label of another record follow it",
      async () => {
        const [comments, users] = [streamOf("comments"), streamOf("users")];
        const both = { [comments]: "page", [streamOf("posts/1")]: "page" };
        await hears(both, () => change("Comment", 1, { title: "Comment Alpine!" }));
        const below = (path: string) => streamOf(`posts/1/${path}`);
        const nested = {
          [below("nested_comments")]: "page",
          [below("nested_comments/1")]: "page",
          [below("nested_note")]: "",
        };
        await hears(nested, () => change("Comment", 1, { title: "Comment Alpine" }), "below their parent");
        const shared = { [streamOf("categories")]: "page", [users]: "" };
        await hears(shared, () => change("Category", 1, { name: "Shared by all" }), "by the scope of the model");
        const none = { [users]: "", [list]: "" };
        await hears(none, () => change("User", 2, { name: "Bob B." }), "by memberships: Bob is none of theirs");
        const authors = { [list]: "page", [streamOf("tasks/1")]: "page", [comments]: "" };
        await hears(authors, () => change("User", 3, { name: "Catherine" }));
      },
    );

    canOnce("The bell follows what is sent to its account, on any page", async () => {
      const any = "/customer/1/_live";
      await hears({ [list]: "bell", [any]: "bell" }, () => send(app, 1, { title: "For Ann" }, { tenant: 1 }));
      await hears({ [list]: "", [any]: "" }, () => send(app, 3, { title: "For Cat" }, { tenant: 1 }));
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
      await hears({ [`${list}?at=${at}`]: "page", [`${list}?at=${Date.now()}`]: "" }, async () => undefined);
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
