import { join } from "node:path";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck } from "./support.ts";

const withoutPglite = await reasonToSkip("pglite");

describe("A new application on PostgreSQL", (it) => {
  it.unless(
    withoutPglite,
    "fw new --database=postgres writes an application that compiles, passes its tests and serves without a server of PostgreSQL",
    async () => {
      await ensureBuilt();
      const app = await newApp("my-shop", "--database=postgres");
      const files = snapshot(app);
      assert.match(files[".env.development"]!, "DATABASE_URL=pglite:storage/development\n");
      assert.match(files[".env.production"]!, "DATABASE_URL=postgres://my_shop@127.0.0.1:5432/my_shop\n");
      const { dependencies, devDependencies } = JSON.parse(files["package.json"]!);
      assert.equal(Object.keys(dependencies), ["framewright", "pg"]);
      assert.equal(Object.keys(devDependencies), ["@electric-sql/pglite", "@types/node", "typescript"]);
      await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
      await fwOk(app, "g", "fw:res:scaffold", "Post", "title:string", "price:money", "data:json?", "--dest=main_app");
      await fwOk(app, "db:migrate");
      await fwOk(app, "g", "fw:res:conn", "Post", "--dest=admin_portal");
      const checked = await typeCheck(app);
      assert.is(checked.code, 0, checked.out);
      const tested = await runFw(app, "test");
      assert.is(tested.code, 0, tested.out + tested.err);
      assert.match(tested.out, /# pass [1-9]|pass [1-9]/);
      const DATABASE_URL = "pglite:storage/development";
      const { child, url } = await serveApp(app, { NODE_ENV: "development", DATABASE_URL });
      try {
        assert.is((await fetch(`${url}/admin/posts`)).status, 200);
        const { code, err } = await runFw(app, "db:migrate");
        assert.is(code, 1);
        assert.match(
          err,
          `FW_PGLITE_IN_USE: process ${child.pid} has the database in ${join(app, "storage/development")}`,
        );
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    },
  );
});
