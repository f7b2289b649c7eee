import { Application, FramewrightError } from "framewright";
import { html } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ResourceDefinition } from "framewright/plugins/resources";
import { openApp, type TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

// What plugins add to definitions: nobody's part is replaced in silence, and what is wrong names its plugin.

type Adds = (definition: ResourceDefinition) => void;
const adding = (name: string, add: Adds): Plugin =>
  definePlugin({
    name,
    requires: ["resources"],
    apply({ hooks, tap }) {
      tap(hooks.resources.define, (definition, { model }) => {
        if (model.constant === "Blogging::Post") add(definition);
      });
    },
  });

const parts: Record<string, [first: Adds, second: Adds]> = {
  'action("stamp")': [
    (one) => one.action("stamp", { label: "Stamp", path: "", recordAction: true }),
    (one) => one.action("stamp", { label: "Other", path: "" }),
  ],
  'filter("title")': [(one) => one.filter("title"), (one) => one.filter("title", { as: "text" })],
  'scope("mine")': [(one) => one.scope("mine", { apply: (q) => q }), (one) => one.scope("mine", { apply: (q) => q })],
  'column("title")': [(one) => one.column("title", { label: "A" }), (one) => one.column("title", { label: "B" })],
  'section("side")': [
    (one) => one.section("side", { content: () => html`a` }),
    (one) => one.section("side", { content: () => html`b` }),
  ],
};

describe("Parts that plugins add to definitions", (it, { before }) => {
  let root: string;
  before(async () => {
    const shop = await openShop();
    await shop.close();
    root = shop.root;
  });
  const open = async (...plugins: Plugin[]): Promise<TestApp> =>
    openApp(root, { plugins: [...(await Application.pluginsOf(root, false)), ...plugins] });
  const refusal = async (...plugins: Plugin[]): Promise<string> => {
    const app = await open(...plugins).catch((error: unknown) => error);
    if (app instanceof FramewrightError) return app.message;
    await (app as TestApp).close();
    return "it booted";
  };

  for (const [part, [first, second]] of Object.entries(parts))
    it(`${part} of two plugins is refused by both names`, async () => {
      const message = await refusal(adding("acme-first", first), adding("acme-second", second));
      for (const name of ["FW_DEFINITION_ADDED_TWICE", "acme-first", "acme-second", part]) assert.match(message, name);
    });
  it("Equal ones, options beside each other and changes of a standard action are no conflict", async () => {
    const equal = adding("acme-equal", (one) => {
      one.column("title", { label: "A" });
      one.action("destroy", { confirmation: "Really?" });
    });
    const beside = adding("acme-beside", (one) => {
      one.column("title", { label: "A", edit: false });
      one.action("destroy", { bulk: true });
    });
    assert.is(await refusal(equal, beside), "it booted");
  });
  it("A misspelt name is that of the plugin", async () => {
    const message = await refusal(adding("acme-first", (one) => one.column("titel" as never, { label: "A" })));
    assert.match(message, /the plugin "acme-first", which adds to \w*Definition, calls column\("titel"\)/);
  });
  it("A throw in an added condition names the plugin and the condition", async () => {
    const condition = () => {
      throw new Error("torn");
    };
    const app = await open(adding("acme-first", (one) => one.action("edit", { condition })));
    try {
      const lines: string[] = [];
      app.application.log.error = ((_: unknown, message: string) => void lines.push(message)) as never;
      const { knex, migrations } = databaseOf(app.application);
      await migrations.up();
      const times = { created_at: new Date(), updated_at: new Date() };
      await knex("authors").insert({ id: 1, name: "Ada", ...times });
      await knex("blogging_posts").insert({ id: 1, title: "First", author_id: 1, ...times });
      assert.is((await app.request("/admin/blogging/posts/1")).status, 500);
      assert.match(
        lines.join("\n"),
        'the condition of action("edit"), which the plugin "acme-first" adds, failed: torn',
      );
    } finally {
      await app.close();
    }
  });
});
