import { Application } from "framewright";
import { html } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/layout";
import type {} from "framewright/plugins/portals";
import type {} from "framewright/plugins/resources";
import type {} from "framewright/plugins/views";
import { openApp, type TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

// A part of a page that a plugin adds and that fails costs this part alone: the page is there, says so, and the log names both.

const torn = (): never => {
  throw new Error("torn");
};
const promised = (async () => torn()) as never;

/** Adds parts that fail, and beside them some that don't. */
const plugin = definePlugin({
  name: "torn-parts",
  requires: ["views", "layout", "portals", "resources", "host"],
  apply({ services: { views, layout }, hooks, tap }) {
    views.slots.add("list.before_table", torn);
    views.slots.add("list.before_table", promised);
    views.slots.add("list.before_table", () => html`<b>whole</b>`);
    layout.head.add(torn);
    layout.head.add(promised);
    layout.head.add(() => html`<meta name="whole">`);
    tap(hooks.portals.navigation, torn);
    tap(hooks.portals.userMenu, torn);
    tap(hooks.host.page, torn);
    tap(hooks.resources.panels, promised);
    tap(hooks.resources.define, (definition, { model }) => {
      if (!model.columns.has("title")) return;
      definition.column("title", { format: torn });
      definition.display("title", { format: torn });
      definition.section("torn", { content: promised });
    });
  },
});

const failed = "Couldn’t load\\.";
const within = (tag: string) => new RegExp(`<${tag}[^>]*>(?:(?!</${tag}>).)*${failed}`, "s");

describe("A part of a page that a plugin adds and that throws", (it, { before, after }) => {
  let app: TestApp;
  let list: string;
  let record: string;
  const lines: string[] = [];
  before(async () => {
    const shop = await openShop();
    await shop.close();
    app = await openApp(shop.root, { plugins: [...(await Application.pluginsOf(shop.root, false)), plugin] });
    app.application.log.error = ((_: unknown, message: string) => void lines.push(message)) as never;
    const { knex, migrations } = databaseOf(app.application);
    await migrations.up();
    const times = { created_at: new Date(), updated_at: new Date() };
    await knex("authors").insert({ id: 1, name: "Ada", ...times });
    for (const id of [1, 2]) await knex("blogging_posts").insert({ id, title: "First", author_id: 1, ...times });
    list = await pageOf("/admin/blogging/posts");
    record = await pageOf("/admin/blogging/posts/1");
  });
  after(() => app.close());

  async function pageOf(path: string): Promise<string> {
    const answer = await app.request(path);
    const page = await answer.text();
    assert.is(answer.status, 200, page);
    return page;
  }
  const isLogged = (pattern: RegExp) =>
    assert.ok(
      lines.some((line) => pattern.test(line)),
      lines.join("\n"),
    );

  it("In a render slot its place says that it couldn't load, and what others render is there", () => {
    assert.match(list, new RegExp(`${failed}.*${failed}.*<b>whole</b>`, "s"));
    isLogged(/"torn-parts" renders in the slot "list\.before_table" failed: torn/);
    isLogged(/"torn-parts" renders in the slot "list\.before_table" failed: it returned a promise/);
  });
  it("In the head it is left out, and what others add is there", () => {
    assert.match(list, '<meta name="whole">');
    isLogged(/"torn-parts" adds to the head of pages failed: torn/);
    isLogged(/"torn-parts" adds to the head of pages failed: it returned a promise/);
  });
  it("In the sidebar and the user menu a line says so", () => {
    assert.match(list, within("nav"));
    assert.match(list, new RegExp(`fw-dropdown-item.*${failed}`, "s"));
    isLogged(/"torn-parts" failed in the hook "portals\.navigation": torn/);
    isLogged(/"torn-parts" failed in the hook "portals\.userMenu": torn/);
  });
  it("In the hook of pages it is logged", () => isLogged(/"torn-parts" failed in the hook "host\.page": torn/));
  it("In panels and sections of a record a panel says so", () => {
    assert.ok(record.split("Couldn’t load.").length > 4, record);
    isLogged(/"torn-parts" failed in the hook "resources\.panels": torn/);
    isLogged(/the section "torn" on the page of Blogging::Post failed: torn/);
  });
  it("In a cell and in a value of the record's page its place says so, and it is logged once a request", () => {
    assert.match(list, within("td"));
    assert.match(record, within("dd"));
    const cells = lines.filter((line) => /the field "title", shown as "\w+", failed: torn/.test(line));
    assert.is(cells.length, 2);
  });
  it("In JSON there is no such part", async () => {
    const answer = await app.request("/admin/blogging/posts/1", { headers: { accept: "application/json" } });
    assert.is(answer.status, 200);
    assert.match(await answer.text(), "First");
  });
});
