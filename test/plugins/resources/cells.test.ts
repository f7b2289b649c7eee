import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { hiddenFields, inputValue, task, taskFiles, visitor } from "./tasks_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";
const definition = `for (const name of ["title", "status", "fee", "hours", "due_on", "author"]) this.column(name, { edit: true });
  this.input("due_on", { condition: ({ record }) => record?.title !== "Undated" });`;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Cells of a list that are edited, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const stored = (id: number) => knex()("tasks").where({ id }).first();
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(taskFiles(definition), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        await knex()("tasks").insert([
          task(1),
          task(2, { title: "Locked" }),
          task(3, { title: "Hidden" }),
          task(4, {}, 2),
          task(5, { title: "Undated", post_id: 1 }),
        ]);
        await story();
      });
    const page = async (path: string, headers: Record<string, string> = ann, status = 200) => {
      const answer = await app.request(path, { headers });
      const html = await answer.text();
      assert.is(answer.status, status, html);
      return html;
    };
    /** Opens the input of a cell, and sends it with a value. */
    async function edit(path: string, fields: Record<string, string>, frame?: string, known = ann) {
      const browse = visitor(app, known);
      const headers: Record<string, string> = frame === undefined ? {} : { "turbo-frame": frame };
      const html = await (await browse(path, { headers })).text();
      const body = hiddenFields(html, "fw-cell-form");
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const send = async (more: Record<string, string> = {}) => {
        for (const [name, value] of Object.entries(more)) body.set(name, value);
        const answer = await browse(path.replace(/\?.*/, ""), { method: "POST", body, headers });
        return { status: answer.status, text: await answer.text(), location: answer.headers.get("location"), browse };
      };
      return { html, send, body };
    }

    can("A list has links in the cells that the person may edit, and no others", async () => {
      const list = await page(`${tasks}?sort=id`);
      const linked = (id: number, html: string) =>
        [...html.matchAll(new RegExp(`/tasks/${id}/cells/(\\w+)\\?`, "g"))].map(([, name]) => name);
      assert.equal(linked(1, list), ["title", "status", "fee", "hours", "due_on", "author"]);
      assert.equal(linked(2, list), []);
      assert.equal(linked(5, list), ["title", "status", "fee", "hours", "author"]);
      assert.match(
        list,
        `<turbo-frame id="fw-cell-1-title-first" class="fw-cell" target="_top"><span class="fw-cell-shown"><a class="fw-row-link" href="${tasks}/1?_list=sort%3Did">Task 1</a></span><a class="fw-cell-edit" href="${tasks}/1/cells/title?return_to=%2Fcustomer%2F1%2Ftasks%3Fsort%3Did" data-turbo-frame="fw-cell-1-title-first"`,
      );
      assert.match(list, /aria-label="Edit Status: Task 1"/);
      assert.match(list, /<script src="\/assets\/cells-[^"]+\.js" defer><\/script>/);
      assert.equal(linked(1, await page(`${tasks}?sort=id`, cat)), ["title", "hours", "due_on", "author"]);
      assert.not.match(await page("/guest/1/tasks", {}), /fw-cell|cells-/);
      assert.not.match(await page("/customer/1/posts"), /fw-cell|cells-/);
    });

    can("Without JavaScript the link opens a page, which saves one attribute and leads back to the list", async () => {
      const { updated_at: earlier, ...was } = await stored(1);
      const { html, send } = await edit(`${tasks}/1/cells/title?return_to=${encodeURIComponent(`${tasks}?sort=id`)}`, {
        "task[title]": "Renamed",
      });
      assert.match(html, "<h1>Edit Title: Task 1</h1>");
      assert.is(inputValue(html, "title"), "Task 1");
      assert.is(inputValue(html, "hours"), undefined);
      assert.match(html, `<a class="btn" href="${tasks}?sort=id" data-cell-cancel>`);
      const { status, location, browse } = await send();
      assert.equal([status, location], [303, `${tasks}?sort=id`]);
      assert.match(await (await browse(tasks)).text(), "Renamed was saved.");
      const { updated_at, ...rest } = await stored(1);
      assert.equal(rest, { ...was, title: "Renamed" });
      assert.is.not(String(updated_at), String(earlier));
    });

    can("In its frame a cell is shown again once it is saved, with what is wrong until then", async () => {
      const frame = "fw-cell-1-hours";
      const { html, send } = await edit(`${tasks}/1/cells/hours`, { "task[hours]": "101" }, frame);
      assert.match(
        html,
        /^<turbo-frame id="fw-cell-1-hours"><form class="fw-cell-form"[^>]* data-turbo-frame="fw-cell-1-hours">/,
      );
      assert.match(html, " autofocus");
      const refused = await send();
      assert.is(refused.status, 422, refused.text);
      assert.match(refused.text, 'id="task_hours_errors"');
      assert.is(inputValue(refused.text, "hours"), "101");
      const saved = await send({ "task[hours]": "7" });
      assert.is(saved.status, 201, saved.text);
      assert.match(
        saved.text,
        /^<turbo-frame id="fw-cell-1-hours"><span class="fw-cell-shown" data-version="[^"]+"><span class="fw-number">7<\/span><\/span><a class="fw-cell-edit"/,
      );
      assert.is((await stored(1)).hours, 7);
      const first = await edit(`${tasks}/1/cells/title`, { "task[title]": "<b>" }, "fw-cell-1-title-first");
      assert.match((await first.send()).text, `<a class="fw-row-link" href="${tasks}/1?_list">&lt;b&gt;</a>`);
      const from = `${tasks}/1/cells/title?return_to=${encodeURIComponent(`${tasks}?sort=id&page=2`)}`;
      const inList = await edit(from, { "task[title]": "Kept" }, "fw-cell-1-title-first");
      assert.match((await inList.send()).text, `href="${tasks}/1?_list=sort%3Did%26page%3D2">Kept</a>`);
      const foreign = from.replace(/return_to=.*/, `return_to=${encodeURIComponent("/customer/1/posts?sort=id")}`);
      const elsewhere = await edit(foreign, { "task[title]": "Kept" }, "fw-cell-1-title-first");
      assert.match((await elsewhere.send()).text, `href="${tasks}/1">Kept</a>`);
      const author = await edit(`${tasks}/1/cells/author`, { "task[author]": "1" }, "fw-cell-1-author");
      assert.match((await author.send()).text, "Ann Alpine");
      const fee = await edit(`${tasks}/1/cells/fee`, { "task[fee]": "20.5" }, "fw-cell-1-fee");
      assert.match((await fee.send()).text, "20.50");
    });

    can(
      "A change of somebody else is a conflict with what is saved, and nothing is written until it is sent again",
      async () => {
        const { send, body } = await edit(`${tasks}/1/cells/status`, { "task[status]": "done" }, "fw-cell-1-status");
        await knex()("tasks").where({ id: 1 }).update({ status: "busy", updated_at: "2026-03-05 10:00:00.000" });
        const { status, text } = await send();
        assert.is(status, 409, text);
        assert.match(text, /Saved now: <strong>.*Busy/);
        assert.match(text, '<option value="done" selected>');
        assert.is((await stored(1)).status, "busy");
        const version = hiddenFields(text, "fw-cell-form").get("lock_version")!;
        assert.is.not(version, body.get("lock_version"));
        assert.is((await send({ lock_version: version })).status, 201);
        assert.is((await stored(1)).status, "done");
      },
    );

    can("A cell that nobody else changed is saved, whatever else was changed of its record", async () => {
      const { send } = await edit(`${tasks}/1/cells/status`, { "task[status]": "done" }, "fw-cell-1-status");
      await knex()("tasks").where({ id: 1 }).update({ title: "Theirs", updated_at: "2026-03-06 10:00:00.000" });
      assert.is((await send()).status, 201);
      const { status, title } = await stored(1);
      assert.equal([status, title], ["done", "Theirs"]);
      await knex()("tasks").where({ id: 1 }).update({ title: "Task 1" });
    });

    can(
      "A form without a version, with other attributes, without a token or by another verb changes nothing else",
      async () => {
        const { send, body } = await edit(`${tasks}/1/cells/title`, {
          "task[title]": "New",
          "task[note]": "smuggled",
          "task[organization_id]": "2",
        });
        body.delete("lock_version");
        assert.is((await send()).status, 409);
        assert.is((await stored(1)).title, "Task 1");
        const again = await edit(`${tasks}/1/cells/title`, {
          "task[title]": "New",
          "task[note]": "smuggled",
          "task[organization_id]": "2",
        });
        assert.is((await again.send()).status, 303);
        const { title, note, organization_id } = await stored(1);
        assert.equal([title, note, organization_id], ["New", "Read me", 1]);
        const forged = await edit(`${tasks}/1/cells/title`, { "task[title]": "Forged", authenticity_token: "x" });
        assert.is((await forged.send()).status, 403);
        const other = await edit(`${tasks}/1/cells/title`, { "task[hours]": "9" });
        assert.is((await other.send()).status, 303);
        assert.equal([(await stored(1)).title, (await stored(1)).hours], ["New", 4]);
        assert.is((await app.request(`${tasks}/1/cells/title`, { method: "DELETE", headers: ann })).status, 405);
        assert.is((await stored(1)).title, "New");
      },
    );

    can(
      "What is not edited, not listed, hidden by a condition or not permitted is 404, a forbidden record 403",
      async () => {
        for (const name of ["note", "internal", "door_token", "organization", "nothing", "__proto__", "constructor"])
          await page(`${tasks}/1/cells/${name}`, ann, 404);
        await page(`${tasks}/1/cells/status`, cat, 404);
        await page(`${tasks}/1/cells/fee`, cat, 404);
        await page(`${tasks}/5/cells/due_on`, ann, 404);
        await page(`${tasks}/2/cells/title`, ann, 403);
        for (const id of ["3", "4", "99", "1x"]) await page(`${tasks}/${id}/cells/title`, ann, 404);
        await page("/customer/2/tasks/1/cells/title", ann, 404);
        await page(`${tasks}/1/cells/title.json`, ann, 404);
        await page("/guest/1/tasks/1/cells/title", {}, 403);
        const write = (path: string, headers: Record<string, string>) =>
          app.request(path, {
            method: "PATCH",
            headers: { ...headers, "content-type": "application/json", accept: "text/html" },
            body: JSON.stringify({ task: { status: "done", title: "Taken", fee: "1" }, lock_version: "1" }),
          });
        assert.is((await write(`${tasks}/1/cells/status`, cat)).status, 404);
        assert.is((await write(`${tasks}/2/cells/title`, ann)).status, 403);
        assert.is((await write(`${tasks}/4/cells/title`, ann)).status, 404);
        assert.is((await write("/guest/1/tasks/1/cells/title", {})).status, 403);
        assert.is((await write(`${tasks}/1/cells/title`, ann)).status, 409, "a version that was made up");
        assert.equal(await knex()("tasks").where({ title: "Taken" }), []);
      },
    );

    can("Below a parent cells lead below it, and a record that a change takes out of sight says so", async () => {
      const below = "/customer/1/posts/1/nested_tasks";
      assert.match(await page(below), `href="${below}/5/cells/title?`);
      await page(`${below}/1/cells/title`, ann, 404);
      const { send } = await edit(`${below}/5/cells/title`, { "task[title]": "Hidden" }, "fw-cell-5-title-first");
      const { status, text } = await send();
      assert.is(status, 201);
      assert.match(text, "It is not one of the records that you can see here.");
      assert.not.match(text, "fw-cell-edit");
    });
  });
}

describe("Columns that can't be edited", (it) => {
  for (const [name, why] of [
    ["door_token", "a file or a secret"],
    ["nothing", "calls column"],
  ] as const)
    it(`The application does not boot with ${name}`, async () => {
      const error = await openTenants(taskFiles(`this.column("${name}", { edit: true });`), {}).then(
        () => undefined,
        (problem: Error) => problem,
      );
      assert.match(error?.message ?? "it booted", why);
    });
});
