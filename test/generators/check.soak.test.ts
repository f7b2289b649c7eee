import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { fw, runCommand } from "./support.ts";

const migration = (up: string) => `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) { ${up} }
export async function down(_: Schema) {}
`;
const model = (table: string, members = "") => `import { Model } from "framewright/plugins/database";
export default class extends Model("${table}" as never) { ${members} }
`;
const release = (members = ""): Record<string, string> => ({
  "plugins.config.ts": `import { definePlugins } from "framewright";
import { database } from "framewright/plugins/database";
export default definePlugins([database()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";\nexport default drawRoutes(() => undefined);`,
  "app/models/post.ts": model("posts", `static override validations = { title: { presence: true } }; ${members}`),
  "app/models/draft.ts": model("drafts"),
  "db/migrate/20260101000000_create.ts":
    migration(`await db.createTable("posts", (t) => { t.id(); t.string("title"); t.string("subtitle"); t.string("state").notNull().default("new"); t.decimal("price", 10, 2); t.integer("stars"); });
await db.createTable("drafts", (t) => { t.id(); t.string("text"); }); await db.createTable("words", (t) => { t.id(); t.string("word"); });`),
});
const types = `declare module "framewright/plugins/database" {
  interface Tables {
    posts: {
      columns: {
        id: number;
        stars: number | null;
      };
      associations: {};
    };
  }
}
`;

for (const base of await databases({ mysqlInSoak: true })) {
  describe(`fw db:check, on ${base.name}`, (it, { before, after }) => {
    let first: string;
    let second: string;
    let env: Record<string, string>;
    const run = (root: string, ...words: string[]) => runCommand(process.execPath, [fw, ...words], root, env);
    const check = async (...words: string[]) => {
      const { code, out, err } = await run(second, "db:check", "--json", ...words);
      assert.is(err, "", out);
      return { code, ...(JSON.parse(out) as Report) };
    };
    interface Report {
      pending: string[];
      running: { place: string; processes: number }[];
      refused: { kind: string; what: string; migration: string; message: string; readers: string[] }[];
      unknown: { what: string; migration: string }[];
    }
    const pending = (files: Record<string, string>) => {
      rmSync(join(second, "db/migrate"), { recursive: true });
      const named = Object.entries(files).map(([name, up]) => [`db/migrate/2026020100000${name}.ts`, migration(up)]);
      addFiles(second, { ...release(), ...Object.fromEntries(named) });
    };
    const whileRunning = async (root: string, story: () => Promise<void>) => {
      const { child } = await serveApp(root, env, "serve", [process.execPath, fw]);
      try {
        await story();
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      } finally {
        child.kill("SIGKILL");
      }
    };
    if (base.skip === undefined)
      before(async () => {
        [first, second] = [writeApp(release()), writeApp(release())];
        env = {
          DATABASE_URL: `sqlite:${join(first, "served.sqlite3")}`,
          ...(await base.values()),
          NODE_ENV: "production",
          SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        };
      });
    after(() => base.clean());
    const can = (sentence: string, story: () => Promise<void>) => it.unless(base.skip, sentence, story, 180_000);

    can("On a new database nothing runs, and with nothing to migrate it says so", async () => {
      const fresh = await run(second, "db:check");
      assert.equal([fresh.code, fresh.err], [0, ""]);
      assert.match(fresh.out, "1 pending migration, with nothing against what runs: nothing does");
      assert.is((await run(first, "db:migrate")).code, 0);
      assert.match((await run(second, "db:check")).out, "nothing to migrate");
    });

    can("Where no process recorded what it reads, it asks for the folder of the release, or its types", async () => {
      pending({ "0_drop": `await db.removeColumns("posts", ["subtitle", "stars"]);` });
      const unknown = await run(second, "db:check");
      assert.is(unknown.code, 1);
      assert.match(unknown.err, /FW_RELEASE_UNKNOWN: .*fw db:check --running=\/srv\/shop\/current/);
      const none = await run(second, "db:check", "--running=none");
      assert.is(none.code, 0, none.out + none.err);
      const empty = await run(second, "db:check", `--running=${join(second, "plugins.config.ts")}`);
      assert.match(empty.err, "FW_RELEASE_TYPES");
      addFiles(first, { "db/types.d.ts": types });
      const { code, refused } = await check(`--running=${first}`);
      assert.is(code, 1);
      assert.equal(
        refused.map(({ what, readers }) => [what, readers]),
        [["posts.stars", [first]]],
      );
    });

    can("What a running release reads may be added to, and neither dropped nor renamed", async () => {
      await whileRunning(first, async () => {
        pending({
          "0_add": `await db.addColumns("posts", (t) => { t.string("slug"); t.integer("pages").notNull().default(1); }); await db.createTable("tags", (t) => { t.id(); });`,
        });
        const added = await check();
        assert.equal([added.code, added.refused, added.pending], [0, [], ["20260201000000_add"]]);
        assert.equal(
          added.running.map(({ processes }) => processes),
          [1],
        );
        assert.ok(added.running[0]!.place.endsWith(`:${first}`));

        pending({
          "0_drop": `await db.removeColumns("posts", ["subtitle"]);`,
          "1_rename": `await db.renameColumn("posts", "stars", "points"); await db.renameTable("drafts", "notes"); await db.dropTable("words");`,
          "2_twice": `await db.renameColumn("posts", "state", "status");`,
          "3_back": `await db.renameColumn("posts", "status", "state");`,
        });
        const { code, refused, unknown } = await check();
        assert.is(code, 1);
        assert.equal(refused.map(({ migration, kind, what }) => `${migration.slice(14)} ${kind} ${what}`).sort(), [
          "_drop gone posts.subtitle",
          "_rename gone drafts",
          "_rename gone posts.stars",
        ]);
        assert.equal(
          unknown.map(({ what }) => what),
          ["words"],
        );
        const text = await run(second, "db:check");
        assert.match(
          text.out,
          /REFUSED 20260201000000_drop drops or renames posts\.subtitle, which is still read by Post of \S+\. Deploy a release whose model has static ignoredColumns = \["subtitle"\] first, and drop the column in the next one\./,
        );
        assert.match(text.out, "look: 20260201000001_rename drops or renames words, and no model");
        assert.match(text.out, "4 pending migrations would break what runs: migrate none of them yet");
        const allowed = await check("--allow=posts.subtitle,posts.stars,drafts");
        assert.equal([allowed.code, allowed.refused], [0, []]);
        const { out } = await run(first, "db:status", "--json");
        assert.not.match(out, "drop", "the check ran on a copy alone");
      });
    });

    can("A column that the running release ignores may be dropped, and it serves on without it", async () => {
      const ignoring = writeApp(release(`static override ignoredColumns = ["subtitle"];`));
      pending({ "0_drop": `await db.removeColumns("posts", ["subtitle"]);` });
      await whileRunning(ignoring, async () => {
        const { code, refused } = await check();
        assert.equal([code, refused], [0, []]);
      });
      await run(ignoring, "types");
      const types = readFileSync(join(ignoring, "db/types.d.ts"), "utf8");
      assert.match(types, "stars: number");
      assert.not.match(types, "subtitle");
      const gone = await run(second, "db:check");
      assert.match(gone.err, "FW_RELEASE_UNKNOWN", "a process that ended reads nothing");
    });

    can("A model can't ignore a column without which none of its records could be inserted", async () => {
      const root = writeApp(release(`static override ignoredColumns = ["state"];`));
      assert.is((await run(root, "routes")).code, 0, "it has a default");
      writeFileSync(
        join(root, "db/migrate/20260102000000_needed.ts"),
        migration(`await db.createTable("needed", (t) => { t.id(); t.string("name").notNull(); });`),
      );
      addFiles(root, { "app/models/need.ts": model("needed", `static override ignoredColumns = ["name"];`) });
      await run(root, "db:migrate");
      assert.match((await run(root, "routes")).err, /FW_COLUMN_IGNORED: the model "Need" ignores the column "name"/);
    });

    const onServer = base.name === "mysql" ? base.skip : "SQLite does not change columns that exist";
    it.unless(
      onServer,
      "Columns that become narrower, not null or lose their default are refused by their kind",
      async () => {
        pending({
          "0_alter": `await db.knex.raw("alter table posts modify title varchar(255) not null, modify subtitle varchar(255) not null, modify state varchar(255) not null, modify price decimal(8, 2), modify stars bigint, add column code varchar(20) not null");`,
          "1_more": `await db.knex.raw("alter table drafts modify text varchar(20)");`,
        });
        await whileRunning(first, async () => {
          const { code, refused } = await check();
          assert.is(code, 1);
          assert.equal(
            refused.map(({ kind, what }) => `${kind}: ${what}`),
            [
              "narrowed: drafts.text, from string(255) to string(20)",
              "not_null: posts.subtitle",
              "without_default: posts.state",
              "narrowed: posts.price, from decimal(10, 2) to decimal(8, 2)",
              "required: posts.code",
            ],
          );
        });
      },
    );

    can("A pending migration that fails, fails here", async () => {
      pending({ "0_fails": `throw new Error("boom");` });
      const failed = await run(second, "db:check", "--running=none");
      assert.is(failed.code, 1);
      assert.match(failed.err, /FW_MIGRATION_FAILED: the migration "20260201000000_fails" failed going up: boom/);
    });
  });
}
