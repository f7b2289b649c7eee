import type { TestApp } from "../../support/apps.ts";
import { filledRows } from "../../support/filled_rows.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, shopFiles, withShop } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { dialogFiles } from "./dialogs_app.ts";
import { hiddenFields, task, visitor } from "./tasks_app.ts";

const tasks = "/customer/1/tasks";
const frame = { "turbo-frame": "modal" };

describe("Actions that can open nothing over the page", (it) => {
  it("Boot fails with FW_ACTION_OPEN for an action that has nothing to open, and for the frame by its name", async () => {
    const file = "packages/blogging/app/definitions/blogging/post_definition.ts";
    for (const [key, options] of [
      ["edit", '{ turboFrame: "modal" }'],
      ["edit", '{ open: "window" as never }'],
      ["edit", '{ open: "panel", newTab: true }'],
      ["edit", '{ open: "panel", turboFrame: "own" }'],
      ["destroy", '{ open: "dialog" }'],
      ["far", '{ open: "dialog", path: "far", method: "post" }'],
    ]) {
      const text = edited(shopFiles, file, [
        "super.configure();",
        `super.configure(); this.action("${key}", ${options});`,
      ]);
      await throwsCode("FW_ACTION_OPEN", () => withShop({ [file]: text }, async () => undefined));
    }
  });
});

describe("Forms that open over the page", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(dialogFiles, {});
  });
  after(() => app.close());
  const reset = async () => {
    const { knex } = databaseOf(app.application);
    await knex("tasks").delete();
    await knex("tasks").insert([1, 2].map((id) => task(id)));
  };
  /** Opens a form in the dialog, and sends it with these values. */
  async function send(path: string, to: string, values: Record<string, string>) {
    const ann = visitor(app, { "x-user": "1" });
    const form = await (await ann(path, { headers: frame })).text();
    const body = hiddenFields(form, "fw-form");
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    const answer = await ann(to, { method: "POST", headers: frame, body });
    return { form, status: answer.status, html: await answer.text(), location: answer.headers.get("location"), ann };
  }

  it("The links of their actions name the dialog, and lead to pages", async () => {
    await reset();
    const ann = visitor(app, { "x-user": "1" });
    const list = filledRows(await (await ann(tasks)).text());
    assert.match(list, /href="\/customer\/1\/tasks\/1\/edit[^"]*"[^>]* data-turbo-frame="modal" data-open="dialog"/);
    assert.match(list, /href="\/customer\/1\/tasks\/new[^"]*"[^>]* data-turbo-frame="modal" data-open="panel"/);
    const page = await (await ann(`${tasks}/1`)).text();
    assert.match(page, /href="\/customer\/1\/tasks\/1\/actions\/rename[^"]*"[^>]* data-open="panel"/);
    assert.match(page, /href="\/customer\/1\/tasks\/1\/duplicate[^"]*"[^>]* data-open="dialog"/);
  });
  it("A form in it has a link that closes it, and no button for another record; what is wrong stays in it", async () => {
    await reset();
    const wrong = await send(`${tasks}/new`, tasks, { "task[title]": "New", "task[hours]": "101" });
    assert.match(wrong.form, /^<turbo-frame id="modal">/);
    assert.match(wrong.form, "data-modal-close");
    assert.not.match(wrong.form, "_another");
    assert.is(wrong.status, 422);
    assert.match(wrong.html, /^<turbo-frame id="modal">[\s\S]*fw-error-summary/);
    const page = await (await wrong.ann(`${tasks}/new`)).text();
    assert.match(page, "_another");
    assert.not.match(page.slice(page.indexOf('class="fw-form"'), page.indexOf("</form>")), "data-modal-close");
  });
  it("Once it is saved it closes, with its message on the next page; programs are answered 201", async () => {
    await reset();
    const values = { "task[title]": "New", "task[code]": "N1", "task[author]": "3", "task[status]": "open" };
    for (const [from, to, text] of [
      [`${tasks}/new`, tasks, "was created"],
      [`${tasks}/1/duplicate`, tasks, "was created"],
      [`${tasks}/1/edit`, `${tasks}/1`, "was saved"],
    ] as const) {
      const saved = await send(from, to, { ...values, "task[code]": from, "task[serial]": from });
      assert.is(saved.status, 201, saved.html);
      assert.match(saved.html, /^<turbo-frame id="modal"><p role="status" data-closes>/);
      assert.match(await (await saved.ann(tasks)).text(), text);
    }
  });
  it("Where the page of the record behind it is gone, it says what takes its place", async () => {
    await reset();
    const { html } = await send(`${tasks}/1/edit`, `${tasks}/1`, { "task[title]": "Hidden" });
    assert.match(html, `data-closes data-from="${tasks}/1" data-to="${tasks}"`);
    const renamed = await send(`${tasks}/2/actions/rename`, `${tasks}/2/actions/rename`, {
      "interaction[title]": "Hidden",
    });
    assert.match(renamed.html, `data-closes data-from="${tasks}/2" data-to="${tasks}"`);
  });
  it("A form that is left there for the one of a record to choose is led back to, within the dialog", async () => {
    await reset();
    const left = await send(`${tasks}/1/edit`, `${tasks}/1`, { "task[title]": "Typed", _new: "post" });
    assert.is(left.status, 303, left.html);
    const form = await (await left.ann(left.location!, { headers: frame })).text();
    assert.match(form, /^<turbo-frame id="modal">/);
    assert.match(form, /<a class="btn" href="\/customer\/1\/tasks\/1\/edit\?_beside=post">Cancel/);
    const body = hiddenFields(form, "fw-form");
    body.set("post[title]", "Chosen");
    body.set("post[author]", "3");
    const made = await left.ann("/customer/1/posts", { method: "POST", headers: frame, body });
    assert.match(made.headers.get("location") ?? "", /^\/customer\/1\/tasks\/1\/edit\?_beside=post\.\d+$/);
    const again = await (await left.ann(made.headers.get("location")!, { headers: frame })).text();
    assert.match(again, 'value="Typed"');
    assert.match(again, "Chosen");
    assert.match(again, "data-modal-close");
  });
  it("An interaction closes it, and leads to a location of its own", async () => {
    await reset();
    const path = `${tasks}/1/actions/rename`;
    const wrong = await send(path, path, { "interaction[title]": "no" });
    assert.is(wrong.status, 422);
    const { status, html } = await send(path, path, { "interaction[title]": "Other" });
    assert.is(status, 201);
    assert.match(html, '<p role="status" data-closes>Renamed</p>');
    const leave = `${tasks}/1/actions/leave`;
    const left = await send(leave, leave, {});
    assert.match(left.html, `data-closes data-location="${tasks}?status=done"`);
  });
});
