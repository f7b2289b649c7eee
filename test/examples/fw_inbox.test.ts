import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OptionRule, openKernel, type PluginFactory } from "framewright/kernel";
import { addFiles, type TestApp, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { openMigrated, shopFiles } from "../support/shop.ts";
import { CAST, installed, publish, sourceOf } from "./publish.ts";

// A package that an application lists several times, each under a name of its own.

const published = publish("fw-inbox");
const json = { accept: "application/json", "content-type": "application/json" };

for (const database of await databases()) {
  describe(`An application with two inboxes of fw-inbox, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const open = async (list: string): Promise<TestApp> => {
      const root = writeApp({ ...shopFiles });
      addFiles(root, installed("fw-inbox", (await published).unpacked));
      const config = edited(
        shopFiles,
        "plugins.config.ts",
        [/^import {/, 'import { inbox } from "fw-inbox";\nimport {'],
        ["definePlugins([", `definePlugins([${list}, `],
      );
      addFiles(root, {
        "plugins.config.ts": config,
        "config/locales/en.json": '{ "press": { "title": "Press office" } }',
      });
      return openMigrated(root, await database.values());
    };

    it.unless(
      database.skip,
      "Each has its own address, table and title, and texts that they share are there once",
      async () => {
        const app = await open('inbox(), inbox({ as: "press", limit: 1 })');
        try {
          const send = (path: string, text: string) =>
            app.request(path, { method: "POST", headers: json, body: JSON.stringify({ text }) });
          const read = async (path: string) => (await (await app.request(path, { headers: json })).json()) as object;
          assert.is((await send("/inbox", "for all")).status, 201);
          for (const text of ["first", "second"]) assert.is((await send("/press", text)).status, 201);
          assert.is((await send("/press", "")).status, 422);
          assert.equal(await read("/inbox"), { data: ["for all"] });
          assert.equal(await read("/press"), { data: ["second"] }, "with an option of its own");
          assert.match(await (await app.request("/inbox")).text(), "<h1>Inbox</h1>");
          assert.match(await (await app.request("/press")).text(), "<h1>Press office</h1>");
          const { kernel } = app.application;
          const names = ["inbox", "press"];
          assert.equal(
            kernel
              .taps()
              .filter(({ plugin }) => names.includes(plugin))
              .map(({ plugin, hook }) => [hook, plugin]),
            names.map((name) => ["kernel.drawRoutes", name]),
          );
          const { knex, migrations } = kernel.service("database");
          assert.equal(await Promise.all(names.map((name) => knex(`${name}_messages`).pluck("text"))), [
            ["for all"],
            ["first", "second"],
          ]);
          const applied = (await migrations.status()).map(({ name }) => name).filter((name) => name.includes("inbox"));
          assert.equal(applied, ["20260101000000_create_inbox_messages", "20260101000000_create_inbox_messages.press"]);
        } finally {
          await app.close();
        }
      },
    );
  });
}

describe("The package fw-inbox", (it) => {
  it("Its source has no cast, and imports the framework's published entry points alone", () => {
    const text = sourceOf("fw-inbox");
    assert.not.match(text, CAST);
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    for (const [, entry] of text.matchAll(/from "framewright\/?([^"]*)"/g))
      assert.ok(`./${entry}` in exports || entry === "" || /^plugins\/\w+$/.test(entry!), entry);
  });
  it("Two of one name are refused, with what names one of them", async () => {
    const built = join((await published).folder, "dist/index.js");
    const { inbox }: { inbox: PluginFactory<{ limit: OptionRule<number> }, true> } = await import(built);
    const error = await throwsCode("FW_PLUGIN_DUPLICATE", () => openKernel([inbox(), inbox({ limit: 3 })]));
    assert.match(error.message, /entry 1 and entry 2 .* both named "inbox".*\{ as: "inbox_2" \}/);
  });
});
