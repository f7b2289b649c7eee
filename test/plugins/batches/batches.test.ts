import type { BaseModel } from "framewright/plugins/database";
import type { InteractionClass } from "framewright/plugins/resources";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { task } from "../resources/tasks_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { batchesOf, batchFiles } from "./batches_app.ts";

const room = globalThis as { batchEvents?: string[] };
type Task = new () => BaseModel & { id: number; title: string };

for (const database of await databases({ withPostgres: true })) {
  describe(`Batches, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let Task: Task;
    let Rename: InteractionClass;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(batchFiles, await database.values());
        Task = databaseOf(app.application).model("Task").class as unknown as Task;
        const { registry } = app.application.kernel.service("resources");
        Rename = registry.find("CustomerPortal", Task as never).definition.actions.get("rename")!.interaction!;
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const stored = () => knex()("tasks").orderBy("id");
    const find = async (model: string, id: number) =>
      (await databaseOf(app.application)
        .query(databaseOf(app.application).model(model).class)
        .findById(id)) as BaseModel;
    /** Ann's tasks in the first tenant. */
    const place = async (who = 1, tenant = 1) => ({
      as: await find("User", who),
      portal: "CustomerPortal",
      tenant: await find("Organization", tenant),
    });
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        room.batchEvents!.length = 0;
        await body();
      });
    const row = (title: string, more: object = {}) => ({ title, code: title, serial: title, author: 3, ...more });

    can(
      "Rows are created by the definition, policy, tenant and hooks of their resource, with events once all is committed",
      async () => {
        const rows = [
          row("One", { hours: 3, due_on: "2026-03-04", fee: "12.50" }),
          row("Two", { status: "done", starts_at: new Date("2026-03-04T10:00:00Z") }),
        ];
        const { ok, records, problems } = await batchesOf(app).createMany(Task, rows, await place());
        assert.equal([ok, problems], [true, []]);
        assert.equal(
          records.map((one) => one?.title),
          ["One", "Two"],
        );
        const [one, two] = await stored();
        assert.equal([one.organization_id, one.status, one.note, one.hours, one.fee_cents, one.author_id].map(String), [
          "1",
          "busy",
          "from a batch",
          "3",
          "1250",
          "3",
        ]);
        assert.is(two.status, "done");
        assert.is(
          Number(new Date(`${two.starts_at}`.replace(/ (\d)/, "T$1").replace(/Z?$/, "Z"))) > 0 ||
            two.starts_at instanceof Date,
          true,
        );
        assert.equal(room.batchEvents, ["created One", "created Two"]);
      },
    );
    can(
      "Where one is wrong none is written, each wrong one is named by its index, and nobody hears of any",
      async () => {
        const rows = [
          row("One"),
          row("Two", { hours: 101 }),
          row("Three", { internal2: 1, organization_id: 2, author: 99 }),
        ];
        const { ok, records, problems } = await batchesOf(app).createMany(Task, rows, await place());
        assert.equal([ok, records], [false, [undefined, undefined, undefined]]);
        assert.equal(
          problems.map(({ index, errors }) => [index, Object.keys(errors).sort()]),
          [
            [1, ["hours"]],
            [2, ["author", "internal2", "organization_id"]],
          ],
        );
        const twice = await batchesOf(app).createMany(Task, [row("One"), row("Two", { serial: "One" })], await place());
        assert.equal(
          twice.problems.map(({ index, errors }) => [index, Object.keys(errors)]),
          [[1, ["serial"]]],
        );
        assert.equal(await stored(), []);
        assert.equal(room.batchEvents, []);
      },
    );
    can("With onFailure continue each stands by itself", async () => {
      const rows = [row("One"), row("Two", { hours: 101 }), row("Three", { serial: "One" }), row("Four")];
      const { ok, records, problems } = await batchesOf(app).createMany(Task, rows, {
        ...(await place()),
        onFailure: "continue",
      });
      assert.is(ok, false);
      assert.equal(
        records.map((one) => one?.title),
        ["One", undefined, undefined, "Four"],
      );
      assert.equal(
        problems.map(({ index, errors }) => [index, Object.keys(errors)]),
        [
          [1, ["hours"]],
          [2, ["serial"]],
        ],
      );
      assert.equal(
        (await stored()).map(({ title }) => title),
        ["One", "Four"],
      );
      assert.equal(room.batchEvents, ["created One", "created Four"]);
    });
    can("Nobody enters a portal that finds another tenant than the named one, or none", async () => {
      const Post = databaseOf(app.application).model("Post").class as unknown as Task;
      const at = { ...(await place()), portal: "DomainPortal" };
      const { problems } = await batchesOf(app).createMany(Post, [{ title: "Of a domain", author: 3 }], at);
      assert.equal(problems, [{ index: 0, errors: {}, refused: "entry" }]);
    });
    can("Whom the policy refuses creates nothing, and nobody enters a tenant that is not theirs", async () => {
      const refused = async (who: number, tenant: number) => {
        const { problems } = await batchesOf(app).createMany(Task, [row("One")], await place(who, tenant));
        return problems.map((one) => one.refused);
      };
      assert.equal(await refused(3, 1), ["policy"]);
      assert.equal(await refused(1, 2), ["entry"]);
      assert.equal(await refused(4, 1), ["entry"]);
      assert.equal(await stored(), []);
    });
    can(
      "An interaction runs on records by its action's policy and condition, with its inputs, and afterCommit",
      async () => {
        await knex()("tasks").insert([1, 2].map((id) => task(id)));
        const records = [await find("Task", 1), await find("Task", 2)];
        const done = await batchesOf(app).run(Rename, { records, values: { title: "New" }, ...(await place()) });
        assert.equal([done.ok, done.problems], [true, []]);
        assert.equal(
          (await stored()).map(({ title }) => title),
          ["New 1", "New 2"],
        );
        assert.equal(room.batchEvents, ["after commit of 1", "after commit of 2"]);
        const long = await batchesOf(app).run(Rename, {
          records,
          values: { title: "x".repeat(21) },
          ...(await place()),
        });
        assert.equal(
          long.problems.map(({ index, errors }) => [index, Object.keys(errors)]),
          [
            [0, ["title"]],
            [1, ["title"]],
          ],
        );
      },
    );
    can(
      "What is refused, hidden, of another tenant or failed is named; together none is done, else the others are",
      async () => {
        const titles = ["Fine", "Locked", "Fixed", "Twice", "Hidden"];
        await knex()("tasks").insert(titles.map((title, at) => task(at + 1, { title })));
        await knex()("tasks").insert(task(6, {}, 2));
        const records = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => find("Task", id)));
        const options = { records, values: { title: "New" }, ...(await place()) };
        const together = await batchesOf(app).run(Rename, options);
        assert.equal(
          together.problems.map(({ index, refused }) => [index, refused]),
          [
            [1, "policy"],
            [2, "condition"],
            [4, "gone"],
            [5, "gone"],
          ],
        );
        const failed = await batchesOf(app).run(Rename, { ...options, records: [records[0]!, records[3]!] });
        assert.equal(failed.problems, [
          { index: 1, errors: { title: ["suits it not"], base: ["Not this one."] }, refused: undefined },
        ]);
        assert.equal((await stored()).map(({ title }) => title).slice(0, 5), titles);
        assert.equal(room.batchEvents, []);
        const each = await batchesOf(app).run(Rename, { ...options, onFailure: "continue" });
        assert.equal(
          each.records.map((one) => one?.$id()),
          [records[0]!.$id(), undefined, undefined, undefined, undefined, undefined],
        );
        assert.is((await stored())[0].title, "New 1");
        assert.equal(room.batchEvents, ["after commit of 1"]);
      },
    );
    can("An input, an action and a portal that are not there, and too many at once, are errors", async () => {
      await knex()("tasks").insert(task(1));
      const records = [await find("Task", 1)];
      const at = await place();
      await throwsCode("FW_BATCH_INPUT", () => batchesOf(app).run(Rename, { records, values: { titel: "x" }, ...at }));
      await throwsCode("FW_BATCH_ACTION", () => batchesOf(app).run(Rename, { records, action: "other", ...at }));
      await throwsCode("FW_BATCH_SIZE", () =>
        batchesOf(app).createMany(
          Task,
          Array.from({ length: 1001 }, () => ({})),
          at,
        ),
      );
      await throwsCode("FW_RESOURCE_UNREGISTERED", () => batchesOf(app).createMany(Task, [], { as: at.as }));
    });
  });
}
