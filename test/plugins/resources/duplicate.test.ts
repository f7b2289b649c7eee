import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { hiddenFields, inputValue, task, taskFiles, visitor } from "./tasks_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A record as the pattern of a new one, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          taskFiles(`this.action("duplicate");
            this.input("note", { condition: ({ values }) => values.status === "busy" });`),
          await database.values(),
        );
        const { knex } = databaseOf(app.application);
        await knex("users").insert({ id: 9, name: "Eve" });
        await knex("tasks").insert([
          task(1, { status: "busy", post_id: 1 }),
          task(2, { title: "Sealed" }),
          task(3, { title: "Hidden" }),
          task(4, {}, 2),
          task(5, { author_id: null }),
        ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string, headers: Record<string, string> = ann, status = 200) => {
      const answer = await app.request(path, { headers });
      const html = await answer.text();
      assert.is(answer.status, status, html);
      return html;
    };

    can(
      "The form begins with what may be read and written, without what is unique, secret or not for reading",
      async () => {
        const html = await page(`${tasks}/1/duplicate`);
        assert.match(html, "<h1>Duplicate Task 1</h1>");
        assert.is(inputValue(html, "title"), "Task 1");
        assert.is(inputValue(html, "hours"), "4");
        assert.is(inputValue(html, "fee"), "12.50");
        assert.is(inputValue(html, "due_on"), "2026-03-04");
        for (const name of ["code", "serial", "internal", "door_token"]) assert.is(inputValue(html, name), "", name);
        assert.not.match(html, /sesame|not for reading/);
        assert.match(html, /<option value="busy" selected>/);
        assert.match(html, /<option value="3" selected>Cat<\/option>/);
        assert.match(html, /<textarea[^>]*>\s*Read me<\/textarea>/, "a field that depends on a copied value is shown");
        assert.not.match(html, 'name="lock_version"');
        assert.match(html, `<form class="fw-form" method="post" action="${tasks}"`);
        assert.match(html, `<a class="btn" href="${tasks}/1">Cancel</a>`);
      },
    );

    can("It is saved as any new record, and the pattern stays as it is", async () => {
      const browse = visitor(app, ann);
      const { knex } = databaseOf(app.application);
      const before = await knex("tasks").where({ id: 1 }).first();
      const html = await (await browse(`${tasks}/1/duplicate`)).text();
      const fields = { title: "Copied", status: "busy", author: "3", hours: inputValue(html, "hours")! };
      const body = hiddenFields(html, "fw-form");
      for (const [name, value] of Object.entries(fields)) body.set(`task[${name}]`, value);
      const saved = await browse(tasks, { method: "POST", body });
      assert.is(saved.status, 303, await saved.text());
      const made = await knex("tasks").where({ title: "Copied" }).first();
      assert.equal([made.hours, made.organization_id, made.code, made.internal], [4, 1, null, null]);
      assert.equal(await knex("tasks").where({ id: 1 }).first(), before);
    });

    can("Who may not read a value gets a form without it", async () => {
      const html = await page(`${tasks}/1/duplicate`, cat);
      assert.is(inputValue(html, "fee"), "");
      assert.is(inputValue(html, "title"), "Task 1");
    });

    can(
      "The button stands on record and row where the policy says so; a list without the action has none",
      async () => {
        assert.match(await page(`${tasks}/1`), `href="${tasks}/1/duplicate"`);
        const list = await page(tasks);
        assert.match(list, `href="${tasks}/1/duplicate"`);
        assert.not.match(list, `href="${tasks}/2/duplicate"`);
        assert.not.match(await page("/customer/1/posts/1"), "/duplicate");
      },
    );

    can("Below a parent the new record is the parent's, and the parent's key is no field", async () => {
      const below = "/customer/1/posts/1/nested_tasks";
      const html = await page(`${below}/1/duplicate`);
      assert.match(html, `action="${below}"`);
      assert.not.match(html, "task[post]");
      await page("/customer/1/posts/1/nested_tasks/5/duplicate", ann, 404);
    });

    can(
      "A foreign, hidden or malformed record is 404, a forbidden one 403; guests are refused, and so is another verb",
      async () => {
        for (const id of ["3", "4", "999", "1x"]) await page(`${tasks}/${id}/duplicate`, ann, 404);
        await page("/customer/2/tasks/1/duplicate", ann, 404);
        await page(`${tasks}/2/duplicate`, ann, 403);
        await page("/guest/1/tasks/1/duplicate", {}, 403);
        assert.not.match(await page("/guest/1/tasks", {}), "/duplicate");
        await page("/customer/1/posts/1/duplicate", ann, 404);
        assert.is((await app.request(`${tasks}/1/duplicate`, { method: "POST", headers: ann })).status, 405);
      },
    );
  });
}

describe("An action called duplicate", (it) => {
  const open = async (definition: string, policy?: (text: string) => string) => {
    const files = taskFiles(definition);
    const path = "app/policies/task_policy.ts";
    if (policy) files[path] = policy(files[path]!);
    const app = await openTenants(files, {});
    await databaseOf(app.application).knex("tasks").insert(task(1));
    return app;
  };
  const statusOf = async (app: TestApp, path: string) => (await app.request(path, { headers: ann })).status;

  it("Without canDuplicate() in the policy canCreate() decides, and no policy that denies creating has it", async () => {
    const without = (text: string) => text.replace(/ {2}canDuplicate.*\n/, "");
    const app = await open('this.action("duplicate", { label: "Copy" });', without);
    try {
      const html = await (await app.request(`${tasks}/1`, { headers: ann })).text();
      assert.match(html, /\/duplicate"[^>]*>.*Copy<\/a>/);
      assert.is(await statusOf(app, `${tasks}/1/duplicate`), 200);
    } finally {
      await app.close();
    }
    const denied = await open('this.action("duplicate");', (text) =>
      without(text).replace("canCreate() { return true", "canCreate() { return false"),
    );
    try {
      assert.is(await statusOf(denied, `${tasks}/1/duplicate`), 403);
    } finally {
      await denied.close();
    }
  });

  it("A condition hides it, and its route is 404", async () => {
    const app = await open('this.action("duplicate", { condition: ({ record }) => record?.title !== "Task 1" });');
    try {
      assert.is(await statusOf(app, `${tasks}/1/duplicate`), 404);
    } finally {
      await app.close();
    }
  });

  it("One with an interaction of its own stays that one, without a route of the framework", async () => {
    const files = taskFiles('this.action("duplicate", { interaction: CopyTask });');
    const path = "app/definitions/task_definition.ts";
    files[path] = `import { Interaction, succeed } from "framewright/plugins/resources";
      class CopyTask extends Interaction { async execute() { return succeed(this.record); } }
      ${files[path]}`;
    const own = await openTenants(files, {});
    try {
      assert.ok(!own.application.routes().some((route) => route.path.endsWith("/tasks/:id/duplicate")));
      await databaseOf(own.application).knex("tasks").insert(task(1));
      assert.is(await statusOf(own, `${tasks}/1/duplicate`), 404);
      assert.match(await (await own.request(`${tasks}/1`, { headers: ann })).text(), "actions/duplicate");
    } finally {
      await own.close();
    }
  });
});
