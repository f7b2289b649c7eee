import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { hiddenFields, task, taskFiles, visitor } from "./tasks_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";

for (const database of await databases()) {
  describe(`The order of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(taskFiles(`this.reorder("position"); this.perPage = 3;`), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        await story();
      });
    const fill = async (positions: readonly number[], more: Record<string, unknown> = {}) => {
      const rows = positions.map((position, at) => task(at + 1, { position, ...more }));
      await knex()("tasks").insert([...rows, task(90, { position: 0 }, 2)]);
    };
    const order = async () =>
      (await knex()("tasks").where({ organization_id: 1 }).orderBy(["position", "id"]).pluck("id")) as number[];
    const places = async () =>
      (await knex()("tasks").where({ organization_id: 1 }).orderBy("id").pluck("position")) as number[];
    const move = async (
      id: number | string,
      body: object,
      { headers = ann as Record<string, string>, base = tasks } = {},
    ) => {
      const answer = await app.request(`${base}/${id}/order`, {
        method: "POST",
        headers: { ...headers, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      await answer.text();
      return answer.status;
    };
    const page = async (path: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(path, { headers });
      return answer.text();
    };

    can(
      "A list in its order has buttons; in another order, and for who may not write the place, it has none",
      async () => {
        await fill([10, 20, 30, 40]);
        await knex()("tasks").where({ id: 2 }).update({ title: "Locked" });
        const list = await page(tasks);
        const buttons = (id: number, html = list) => {
          const form = new RegExp(`<form class="fw-order"[^>]*/${id}/order".*?</form>`).exec(html)?.[0] ?? "";
          return [...form.matchAll(/name="(\w+)" value="(\w+)" data-order/g)].map(
            ([, name, value]) => `${name} ${value}`,
          );
        };
        assert.equal(buttons(1), ["move up", "after 2"]);
        assert.equal(buttons(2), []);
        assert.equal(buttons(3), ["before 2", "move down"]);
        assert.match(list, /aria-label="Move down: Task 1"/);
        assert.match(list, /<script src="\/assets\/sortable-[^"]*" defer><\/script><script src="\/assets\/order-/);
        for (const html of [
          await page(`${tasks}?sort=-position`),
          await page(`${tasks}?sort=title`),
          await page(tasks, cat),
          await page("/guest/1/tasks", {}),
          await page("/customer/1/posts"),
        ])
          assert.not.match(html, /fw-order|sortable/);
      },
    );

    can("Moving writes one row where there is a gap or an end, else as few as make room", async () => {
      await fill([10, 20, 30, 40]);
      const written = async (id: number, body: object) => {
        const earlier = await places();
        assert.is(await move(id, body), 200);
        const now = await places();
        return now.filter((place, at) => place !== earlier[at]).length;
      };
      assert.is(await written(4, { before: 2 }), 1);
      assert.equal(await order(), [1, 4, 2, 3]);
      assert.is(await written(3, { before: 1 }), 1);
      assert.is(await written(1, { after: 2 }), 1);
      assert.equal(await order(), [3, 4, 2, 1]);
      await knex()("tasks").where({ organization_id: 1 }).delete();
      await knex()("tasks").insert([1, 2, 3, 4, 5, 6].map((position) => task(position, { position })));
      assert.is(await written(3, { move: "up" }), 2);
      assert.equal(await order(), [1, 3, 2, 4, 5, 6]);
      assert.is(await written(6, { before: 3 }), 2, "the end of the list that is nearer makes room");
      assert.equal(await order(), [1, 6, 3, 2, 4, 5]);
      assert.is(await written(1, { move: "up" }), 0);
      assert.is(await written(5, { move: "down" }), 0);
      assert.is(await written(5, { after: 5 }), 0);
      assert.is(await written(4, { before: 5 }), 0);
    });

    can("Rows that share one place get places of their own", async () => {
      await fill([0, 0, 0, 0, 0]);
      assert.is(await move(5, { before: 3 }), 200);
      assert.equal(await order(), [1, 2, 5, 3, 4]);
      assert.is(await move(1, { after: 4 }), 200);
      assert.equal(await order(), [2, 5, 3, 4, 1]);
      assert.is(await move(2, { move: "down" }), 200);
      assert.equal(await order(), [5, 2, 3, 4, 1]);
    });

    can("Without JavaScript a button leads back to the list, also past the end of a page", async () => {
      await fill([10, 20, 30, 40]);
      const browse = visitor(app, ann);
      const list = await (await browse(`${tasks}?page=2`)).text();
      const body = hiddenFields(list, "fw-order");
      body.set("move", "up");
      const answer = await browse(`${tasks}/4/order`, { method: "POST", body });
      assert.equal([answer.status, answer.headers.get("location")], [303, `${tasks}?page=2`]);
      assert.equal(await order(), [1, 2, 4, 3]);
      body.set("authenticity_token", "x");
      assert.is((await browse(`${tasks}/4/order`, { method: "POST", body })).status, 403);
      assert.is((await browse(`${tasks}/4/order`)).status, 405);
      assert.equal(await order(), [1, 2, 4, 3]);
    });

    can("Below a parent the order is that of its records alone", async () => {
      await fill([1, 2, 3, 4]);
      await knex()("tasks").whereIn("id", [1, 4]).update({ post_id: 1 });
      const base = "/customer/1/posts/1/nested_tasks";
      assert.match(await page(base), `action="${base}/4/order"`);
      assert.is(await move(4, { before: 2 }, { base }), 409);
      assert.is(await move(2, { before: 1 }, { base }), 404);
      assert.is(await move(4, { move: "up" }, { base }), 200);
      assert.equal(await order(), [4, 1, 2, 3]);
    });

    can("What is foreign, hidden, forbidden or malformed is refused, and nothing moves", async () => {
      await fill([10, 20, 30]);
      await knex()("tasks").where({ id: 3 }).update({ title: "Hidden" });
      const earlier = await places();
      assert.is(await move(1, { before: 90 }), 409);
      assert.is(await move(1, { before: 3 }), 409);
      for (const id of ["1x", "0", "1 or 1=1", "-1", "99999999999999999999"])
        assert.is(await move(1, { before: id }), 409, id);
      for (const id of [90, 3, 999, "1x"]) assert.is(await move(id, { move: "down" }), 404);
      assert.is(await move(90, { move: "up" }, { base: "/customer/2/tasks" }), 404, "of another tenant's people");
      assert.is(await move(1, { move: "down" }, { headers: cat }), 404, "who may not write the place");
      assert.is(await move(1, { move: "down" }, { headers: {}, base: "/guest/1/tasks" }), 403);
      for (const body of [{}, { move: "away" }, { before: [2] }, { before: { id: 2 } }])
        assert.is(await move(1, body), 422);
      await knex()("tasks").where({ id: 1 }).update({ title: "Locked" });
      assert.is(await move(1, { move: "down" }), 403);
      assert.is(await move(1, { move: "down" }, { base: "/customer/1/posts" }), 404);
      assert.equal(await places(), earlier);
    });

    can("Many moves at once end in one order of all rows", async () => {
      await fill([1, 2, 3, 4, 5, 6, 7, 8]);
      const moves = [
        ...[8, 7, 6, 5].map((id) => move(id, { before: 1 })),
        ...[1, 2, 3].map((id) => move(id, { after: 8 })),
        move(4, { move: "up" }),
      ];
      for (const status of await Promise.all(moves)) assert.is(status, 200);
      assert.equal([...(await order())].sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
      assert.is(new Set(await places()).size, 8, "each row has a place of its own");
    });

    can("Pages show the handles of rows in place of the column, and programs read and write it", async () => {
      await fill([10, 20]);
      for (const path of ["", "/new", "/1", "/1/edit", "/list/options"])
        assert.not.match(await page(tasks + path), /Position|\[position\]|=position/, path);
      assert.match(
        await page(`${tasks}/list/options?show=columns`),
        'name="columns[]" value="position"><span',
        "it may be chosen",
      );
      assert.match(await page(`${tasks}?columns=title,position`), "Position");
      const json = { ...ann, accept: "application/json", "content-type": "application/json" };
      const read = (await (await app.request(`${tasks}.json`, { headers: json })).json()) as { data: object[] };
      assert.ok(read.data.every((one) => "position" in one));
      const body = JSON.stringify({ task: { position: 5 } });
      assert.is((await app.request(`${tasks}/2`, { method: "PATCH", headers: json, body })).status, 200);
      assert.equal(await places(), [10, 5]);
      assert.is((await app.request(`${tasks}.json?filter[position][from]=1`, { headers: ann })).status, 422);
    });

    can("A new record stands last, within its tenant", async () => {
      await fill([10, 700]);
      await knex()("tasks").where({ id: 90 }).update({ position: 9000 });
      const answer = await app.request(tasks, {
        method: "POST",
        headers: { ...ann, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ task: { title: "New" } }),
      });
      assert.is(answer.status, 201, await answer.text());
      assert.is((await knex()("tasks").where({ title: "New" }).first()).position, 701);
    });
  });
}

describe("The column of an order of which something is declared", (it) => {
  it("It is shown where a person's pages show others", async () => {
    const app = await openTenants(taskFiles(`this.reorder("position"); this.column("position");`), {});
    try {
      await databaseOf(app.application)
        .knex("tasks")
        .insert(task(1, { position: 7 }));
      for (const path of ["", "/1", "/1/edit", "/list/options"])
        assert.match(await (await app.request(tasks + path, { headers: ann })).text(), "Position", path);
    } finally {
      await app.close();
    }
  });
});

describe("Columns that keep no order", (it) => {
  for (const name of ["hours", "nothing"])
    it(`The application does not boot with ${name}`, async () => {
      const error = await openTenants(taskFiles(`this.reorder("${name}");`), {}).then(
        () => undefined,
        (problem: Error) => problem,
      );
      assert.match(error?.message ?? "it booted", /FW_REORDER_COLUMN|whole numbers|sorts by/);
    });
});
