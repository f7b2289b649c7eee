import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openSurfaces } from "../scoping/surfaces_app.ts";

// What was chosen when a run was started is looked for again when a record's turn comes.

interface Run {
  state: string;
  done: number;
  refused: number;
  reasons: Record<string, number>;
}
const posts = "/customer/alpine/posts";
const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
const room = globalThis as { afterMark?: (transaction: Knex, record: { id: number }) => Promise<unknown> };

for (const database of await databases()) {
  describe(`What is chosen for a run in the background, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openSurfaces(await database.values());
        for (const id of [21, 22, 23])
          await knex()("posts").insert({ id, title: `Post ${id}`, slug: `post-${id}`, organization_id: 1 });
      });
      after(async () => {
        delete room.afterMark;
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        delete room.afterMark;
        await knex()("marks").delete();
        await knex()("tags").where({ id: 1 }).update({ code: "Alpine" });
        await knex()("comments").where({ id: 1 }).update({ title: "Comment Alpine", post_id: 1 });
        await story();
      });
    const start = (path: string, interaction: object) =>
      app.request(path, {
        method: "POST",
        headers,
        body: JSON.stringify({ interaction: { label: "red", ...interaction } }),
      });
    const ended = async (answer: Response): Promise<Run> => {
      assert.is(answer.status, 202, await answer.clone().text());
      for (let tries = 0; tries < 400; tries++) {
        const shown = await app.request(answer.headers.get("location")!, { headers });
        const { data } = (await shown.json()) as { data: Run };
        if (!["waiting", "running"].includes(data.state)) return data;
        await sleep(25);
      }
      throw new Error("the run did not end in 10 s");
    };
    const marked = async () => (await knex()("marks").orderBy("post").pluck("post")).map(Number);
    /** Each becomes what Ann may not choose any more. */
    const changes: Record<string, [chosen: object, table: string, change: object]> = {
      "a record that is hidden": [{ tag: 1 }, "tags", { code: "Hidden by now" }],
      "a record that moved to another tenant": [{ tag: 1 }, "tags", { organization_id: 2 }],
      "a choice of a function": [{ comment: "1" }, "comments", { title: "Hidden by now" }],
      "a choice that moved to another tenant": [{ comment: "1" }, "comments", { post_id: 2 }],
    };

    for (const [what, [chosen, table, change]] of Object.entries(changes)) {
      can(`${what} midway refuses the records from there on`, async () => {
        room.afterMark = async (transaction, { id }) => {
          if (Number(id) === 21) await transaction(table).where({ id: 1 }).update(change);
        };
        const answer = await start(`${posts}/actions/mark`, chosen);
        const run = await ended(answer);
        if (table === "tags") await knex()("tags").where({ id: 1 }).update({ organization_id: 1 });
        assert.equal([run.state, run.done, run.refused, run.reasons], ["done", 2, 2, { choice: 2 }]);
        assert.equal(await marked(), [1, 21]);
        const page = await app.request(answer.headers.get("location")!, { headers: { "x-user": "1" } });
        assert.match(await page.text(), "What was chosen may not be chosen any more");
      });
    }
    can(
      "A run acts on no record of another tenant and on none that is hidden, however wide its targets are",
      async () => {
        const run = await ended(await start(`${posts}/actions/mark?scope=wide`, { tag: 1 }));
        assert.equal([run.done, run.refused], [4, 0]);
        assert.equal(await marked(), [1, 21, 22, 23]);
      },
    );
  });
}
