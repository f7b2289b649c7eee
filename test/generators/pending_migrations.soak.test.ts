import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { fw, fwOk, newApp, runCommand } from "./support.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Pending migrations, on ${database.name}`, (it, { before, after }) => {
    let app: string;
    let env: Record<string, string>;
    if (database.skip === undefined) {
      before(async () => {
        app = await newApp();
        await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
        await fwOk(app, "db:migrate"); // that of development
        await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
        await fwOk(app, "g", "fw:res:conn", "Post", "--dest=admin_portal");
        env = {
          DATABASE_URL: "sqlite:storage/served.sqlite3",
          ...(await database.values()),
          NODE_ENV: "production",
          SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        };
        const built = await runCommand(process.execPath, [fw, "build"], app, env);
        assert.is(built.code, 0, built.out + built.err);
      });
      after(() => database.clean());
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const serve = (command: "start" | "serve", values: Record<string, string>, ...flags: string[]) =>
      serveApp(app, values, command, [process.execPath, fw], flags);
    const names = /\d+_create_posts/;

    can("fw start logs pending migrations and answers 503 at /readyz until they have run", async () => {
      const { child, url, output } = await serve("start", env);
      try {
        const ready = async () => {
          const answer = await fetch(`${url}/readyz`);
          return `${answer.status} ${await answer.text()}`;
        };
        assert.match(await ready(), /^503 migrations have not run: \d+_create_posts$/);
        assert.match(
          output(),
          /migrations have not run: \d+_create_posts\. Run fw db:migrate; \/readyz answers 503 until then/,
        );
        assert.match(output(), "only this machine can connect");
        assert.is((await fetch(`${url}/healthz`)).status, 200);
        const migrated = await runCommand(process.execPath, [fw, "db:migrate"], app, env);
        assert.is(migrated.code, 0, migrated.out + migrated.err);
        assert.is(await ready(), "200 ready");
        assert.is((await new Client(url).json("/admin/posts")).status, 200);
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });

    can("Pending migrations are logged and leave /readyz at 200 in development and with --allow-pending", async () => {
      const undone = await runCommand(process.execPath, [fw, "db:rollback"], app, env);
      assert.is(undone.code, 0, undone.out + undone.err);
      for (const { child, url, output } of [
        await serve("start", env, "--allow-pending"),
        await serve("serve", { ...env, NODE_ENV: "development" }),
      ]) {
        try {
          assert.is((await fetch(`${url}/readyz`)).status, 200);
          assert.match(output(), names);
          assert.not.match(output(), "readyz");
        } finally {
          child.kill("SIGTERM");
          assert.is(await exitOf(child), 0);
        }
      }
    });

    can("The application boots when models, policies and definitions name columns of a pending migration", async () => {
      const edit = (path: string, from: string | RegExp, to: string) => {
        const text = readFileSync(join(app, path), "utf8");
        const edited = text.replace(from, to);
        assert.is.not(edited, text, path);
        writeFileSync(join(app, path), edited);
      };
      const run = async (...words: string[]) => {
        const { code, out, err } = await runCommand(process.execPath, [fw, ...words], app, env);
        assert.is(code, 0, out + err);
        return out;
      };
      await run("db:migrate");
      writeFileSync(
        join(app, "db/migrate/20990101000000_add_editor_to_posts.ts"),
        `import type { Schema } from "framewright/plugins/database";
         export const up = (db: Schema) => db.addColumns("posts", (t) => { t.string("summary"); t.belongsTo("editor", { table: "posts" }); });
         export const down = (db: Schema) => db.removeColumns("posts", ["summary", "editor_id"]);`,
      );
      edit("app/models/post.ts", "import {", "import { belongsTo,");
      edit(
        "app/models/post.ts",
        "static override",
        'static override associations = { editor: belongsTo({ class: "Post" }) };\n  static override',
      );
      edit("app/models/post.ts", "validations = {", "validations = { summary: { uniqueness: true },");
      edit("app/policies/post_policy.ts", /\["title"/g, '["title", "summary", "editor"');
      edit(
        "app/definitions/post_definition.ts",
        "super.configure();",
        'super.configure();\n    this.input("summary" as never, { as: "text" });\n    this.filter("summary" as never);\n    this.sort("summary" as never);',
      );
      await fwOk(app, "db:migrate"); // that of development, whose types the code is checked with
      await run("build");
      const { child, url } = await serve("start", env);
      try {
        assert.match(await (await fetch(`${url}/readyz`)).text(), "add_editor_to_posts");
        assert.match(await run("db:migrate"), /migrated \d+_add_editor_to_posts/);
        assert.is((await fetch(`${url}/readyz`)).status, 200);
        const listed = await new Client(url).json("/admin/posts?sort=summary");
        assert.is(listed.status, 200, JSON.stringify(listed));
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
      assert.match(await run("db:rollback"), /rolled back \d+_add_editor_to_posts/);
    });
  });
}
