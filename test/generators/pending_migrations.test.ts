import { Client } from "../support/client.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { fw, fwOk, newApp, runCommand } from "./support.ts";

for (const database of await databases()) {
  describe(`migrations that have not run, on ${database.name}`, (it, { before, after }) => {
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
          SECRET_KEY_BASE: "0f1e2d3c4b5a69788796a5b4c3d2e1f0aabbccdd",
          HOST: "127.0.0.1",
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

    can("keep fw start from being ready, which says so, until they have run", async () => {
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

    can("are said in development, and let pass by --allow-pending", async () => {
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
  });
}
