import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fwOk, newApp, typeCheck, useDatabase } from "../generators/support.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { npmInstall, ofClone, publish } from "./publish.ts";

// PostgreSQL as a package that npm installs into a generated application; in the process, without a server.

const withoutPglite = await reasonToSkip("pglite");
const DATABASE_URL = "pglite:storage/postgres";

const SEEDS = `import type { Application } from "framewright";
import Post from "#packages/blogging/app/models/blogging/post.ts";
export default async (app: Application) => {
  for (const title of ["Élan", "Other"]) await app.kernel.service("database").query(Post).insert({ title, price: "12.50" });
};
`;

function link(app: string, name: string, folder: string): void {
  const place = join(app, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(folder, place);
}

describe("fw-postgres, packed by its author and installed by npm", (it) => {
  it.unless(
    withoutPglite,
    "A generated application with it compiles, migrates, scaffolds a resource and serves it",
    async () => {
      const needs = {
        ...ofClone("pg"),
        ...ofClone("@types/pg"),
        ...ofClone("@electric-sql/pglite"),
        ...ofClone("knex"),
      };
      const { archive, unpacked } = await publish("fw-postgres", needs);
      assert.equal(readdirSync(unpacked).sort(), ["README.md", "dist", "package.json"]);
      const app = await newApp();
      await npmInstall(app, [archive], "--legacy-peer-deps");
      for (const [name, folder] of Object.entries(needs)) link(app, name, folder); // its peers, as the registry would bring them
      const config = join(app, "plugins.config.ts");
      const listed = readFileSync(config, "utf8").replace("  database(),\n", "  database(),\n  postgres(),\n");
      writeFileSync(config, `import { postgres } from "fw-postgres";\n${listed}`);
      useDatabase(app, DATABASE_URL);
      await fwOk(app, "g", "fw:pkg:package", "blogging");
      await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
      await fwOk(app, "g", "fw:res:scaffold", "Post", "title:string", "price:money", "--dest=blogging");
      await fwOk(app, "db:migrate");
      await fwOk(app, "g", "fw:res:conn", "Blogging::Post", "--dest=admin_portal");
      writeFileSync(join(app, "db/seeds.ts"), SEEDS);
      const checked = await typeCheck(app);
      assert.is(checked.code, 0, checked.out);
      await fwOk(app, "db:seed");
      const { child, url } = await serveApp(app, { NODE_ENV: "development", DATABASE_URL });
      try {
        const page = await new Client(url).page("/admin/blogging/posts");
        for (const text of ["Élan", "Other", "12.50"]) assert.match(page, text);
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    },
    240_000,
  );
});
