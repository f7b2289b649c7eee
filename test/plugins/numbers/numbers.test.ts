import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { as, bootWith, openWizards, wizardFiles } from "../wizards/mounts_support.ts";

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["numbers", "undo"].map((name) => readFileSync(join(plugins, name, "schema.liquid"), "utf8")).join("");
const files: Record<string, string> = {
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    [
      "export default",
      'import { numbers } from "framewright/plugins/numbers";\nimport { undo } from "framewright/plugins/undo";\nexport default',
    ],
    ["resources(),", "resources(), numbers(), undo(),"],
  ),
  "app/models/town.ts": `import { Model } from "framewright/plugins/database";
    export default class Town extends Model("towns") {}`,
  "app/models/post.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
    import { numbered } from "framewright/plugins/numbers";
    export default class Post extends Model("posts") {
      static override associations = { comments: hasMany(), town: belongsTo({ optional: true }) };
      static override validations = { title: { length: { maximum: 20 } } };
      static numbers = numbered("number", { scope: "town", format: "{year}/{000}" });
    }`,
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    /return \["title"\];/g,
    'return ["title", "number", "town_id"] as never;',
  ]),
  "db/migrate/20260101000002_add_numbers.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      ${schema}
      await db.createTable("towns", (t) => { t.id(); t.string("name").notNull(); t.string("time_zone"); });
      await db.addColumns("posts", (t) => { t.string("number", 40); t.bigint("town_id"); t.datetime("created_at"); });
      await db.knex.schema.alterTable("posts", (t) => { t.unique(["town_id", "number"]); });
    }
    export async function down(): Promise<void> {}`,
};
const year = new Date().getUTCFullYear();

for (const database of await databases({ withPostgres: true })) {
  describe(`Numbers of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(files, await database.values());
        const towns = ["Kiribati", "Samoa", "Berlin"].map((name, index) => ({
          id: index + 1,
          name,
          time_zone: ["Pacific/Kiritimati", "Pacific/Pago_Pago", null][index],
        }));
        await knex()("towns").insert(towns);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("posts").whereNotIn("id", [1, 2, 3]).delete();
        await knex()("posts").update({ number: null });
        await knex()("framewright_numbers").delete();
        await body();
      });
    const send = async (path: string, body: object, method = "POST") => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/admin${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const make = async (town_id: number | null = 3, title = "New") => {
      const answer = await send("/posts.json", { post: { title, town_id } });
      const { data } = JSON.parse(answer.text) as { data?: { id: number; number: string } };
      return { ...answer, id: data?.id, number: data?.number };
    };
    const postModel = () => databaseOf(app.application).model("Post").class;

    can("Each record has the next number of its scope, and the list shows it", async () => {
      const made = [await make(1), await make(1), await make(3), await make(null)];
      assert.equal(
        made.map(({ status }) => status),
        [201, 201, 201, 201],
        made[0]!.text,
      );
      assert.equal(
        made.map(({ number }) => number!.split("/")[1]),
        ["001", "002", "001", "001"],
      );
      assert.is(made[2]!.number, `${year}/001`);
    });
    can("Fifty at once have fifty numbers without a gap", async () => {
      const made = await Promise.all(Array.from({ length: 50 }, () => make(3)));
      assert.equal(
        [...new Set(made.map(({ status }) => status))],
        [201],
        made.find(({ status }) => status !== 201)?.text,
      );
      const numbers = made.map(({ number }) => Number(number!.split("/")[1])).sort((a, b) => a - b);
      assert.equal(
        numbers,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });
    can("What is not stored takes no number: neither by its rules, nor where its transaction is undone", async () => {
      assert.is((await make(3)).number, `${year}/001`);
      const refused = await make(3, "much too long for a title");
      assert.is(refused.status, 422);
      const undone = await databaseOf(app.application)
        .transaction(async (transaction) => {
          await postModel()
            .query(transaction)
            .insert({ title: "Undone", town_id: 3 } as never);
          throw new Error("undone");
        })
        .catch((error: Error) => error.message);
      assert.is(undone, "undone");
      assert.is((await make(3)).number, `${year}/002`);
    });
    can("Several that are inserted together are numbered in their order", async () => {
      const records = (await postModel()
        .query()
        .insert([
          { title: "A", town_id: 3 },
          { title: "B", town_id: 3 },
        ] as never)) as unknown as { number: string }[];
      assert.equal(
        records.map(({ number }) => number),
        [`${year}/001`, `${year}/002`],
      );
    });
    can("A number is neither entered nor changed by a form or JSON, and code may bring its own", async () => {
      const { id, number } = await make(3);
      const changed = await send(`/posts/${id}.json`, { post: { number: "7" } }, "PATCH");
      assert.equal([changed.status, /is given when it is saved/.test(changed.text)], [422, true]);
      assert.is((await send(`/posts/${id}.json`, { post: { number, title: "Same" } }, "PATCH")).status, 200);
      assert.is((await send("/posts.json", { post: { title: "Own", number: "7" } })).status, 422);
      await postModel()
        .query()
        .insert({ title: "By code", town_id: 3, number: `${year}/002` } as never);
      assert.is((await make(3)).number, `${year}/003`); // what is taken is passed over
      const form = await (await app.request(`/admin/posts/${id}/edit`, { headers: { "x-user": "1" } })).text();
      assert.match(form, `<output id="post_number" class="form-control-plaintext">${number}</output>`);
      const fresh = await (await app.request("/admin/posts/new", { headers: { "x-user": "1" } })).text();
      assert.match(fresh, "Given when it is saved");
    });
    can("A deleted record's number is not given again, and an undone deletion brings it back", async () => {
      await make(3);
      const { id, number } = await make(3);
      const client = as(app.client(), 1);
      assert.is((await client.submit(`/admin/posts/${id}/actions/destroy`, {}, /posts\/\d+"/)).status, 303);
      assert.is((await make(3)).number, `${year}/003`);
      await client.submit("/admin/posts", {}, /\/deletions\/[^"]+\/undo/);
      assert.is((await knex()("posts").where({ id }).first()).number, number);
    });
    can("The year is that of the calendar in the tenant's own zone", async () => {
      const { assignNumber } = await import("../../../plugins/numbers/assign.ts");
      const { assumedZone } = await import("framewright/host");
      const info = databaseOf(app.application).model("Post");
      const numbers = (info.class as unknown as { numbers: never }).numbers;
      const moment = new Date("2026-12-31T11:00:00Z"); // 2027 in Kiribati, 2026 in Samoa
      const given = await databaseOf(app.application).transaction(async (transaction) => {
        const found: unknown[] = [];
        for (const town_id of [1, 2, 3]) {
          const record = Object.assign(info.class.fromJson({}), { town_id });
          const creation = { model: info, record: record as never, transaction };
          await assignNumber(numbers, creation, { zone: assumedZone("UTC"), moment });
          found.push((record as { number?: unknown }).number);
        }
        return found;
      });
      assert.equal(given, ["2027/001", "2026/001", "2026/001"]);
    });
    can("Rows of before are numbered in one step, and named until then", async () => {
      const findings: { what: string; ok: boolean; detail: string }[] = [];
      const examine = () => app.application.kernel.slotHooks("host").examine.promise(findings as never);
      await examine();
      const before = findings.find(({ what }) => what === "numbers of Post")!;
      assert.equal(
        [before.ok, before.detail.startsWith("3 rows of posts have no number")],
        [false, true],
        before.detail,
      );
      await knex()("posts").where({ id: 2 }).update({ created_at: "2024-05-01 00:00:00.000" });
      await app.application.kernel.service("numbers").numberExisting(postModel() as never);
      const rows = await knex()("posts").orderBy("id").select("number");
      assert.equal(
        rows.map(({ number }: { number: string }) => number),
        [`${year}/001`, "2024/001", `${year}/002`],
      );
      findings.splice(0);
      await examine();
      assert.ok(findings.find(({ what }) => what === "numbers of Post")!.ok);
    });
    can("A table whose numbers are older than the counters goes on behind them", async () => {
      await knex()("posts")
        .where({ id: 1 })
        .update({ number: `${year}/041`, town_id: 3 });
      assert.is((await make(3)).number, `${year}/042`);
      await knex()("posts").update({ town_id: null });
    });
  });
}

/** One connection in the pool: what a transaction holds, nothing else can wait for. */
const withGaps = (pool: number) => ({
  ...files,
  "plugins.config.ts": edited(files, "plugins.config.ts", ["database()", `database({ pool: ${pool} })`]),
  "app/models/post.ts": edited(files, "app/models/post.ts", [
    'scope: "town", format: "{year}/{000}"',
    'scope: "town", format: "{year}/{000}", gaps: "allowed"',
  ]),
});

for (const database of await databases({ withPostgres: true })) {
  const isServer = database.name === "mysql" || database.name === "postgres";
  describe(`Numbers that may have gaps, on ${database.name}`, (it, { after }) => {
    if (database.skip === undefined) after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    if (!isServer) {
      can("They are refused at boot, where one connection writes", async () => {
        const error = await throwsCode("FW_NUMBERS_ONE_CONNECTION", async () => {
          await openWizards(withGaps(10), await database.values());
        });
        assert.match(error.message, 'Post has numbered("number", { gaps: "allowed" })');
      });
      return;
    }
    const open = async (pool: number) => {
      const app = await openWizards(withGaps(pool), await database.values());
      await databaseOf(app.application)
        .knex("towns")
        .insert([1, 2].map((id) => ({ id, name: `Town ${id}` })));
      const insert = async (values: object, transaction?: never) => {
        const model = databaseOf(app.application).model("Post").class;
        const made = await model.query(transaction).insert({ title: "New", town_id: 1, ...values } as never);
        return Number((made as unknown as { number: string }).number.split("/")[1]);
      };
      return { app, insert };
    };
    for (const pool of [1, 10])
      can(`Fifty at once, each in a transaction, have fifty numbers, with a pool of ${pool}`, async () => {
        const { app, insert } = await open(pool);
        const numbers = await Promise.all(
          Array.from({ length: 50 }, (_, at) => insert({ town_id: (at % 2) + 1, title: `At ${at}` })),
        );
        const all = await Promise.all(
          Array.from({ length: 50 }, () =>
            databaseOf(app.application).transaction(async (transaction) => {
              await transaction("posts").limit(1);
              return insert({ town_id: 2 }, transaction as never);
            }),
          ),
        );
        assert.is(new Set(all).size, 50);
        assert.equal(
          numbers.filter((_, at) => at % 2 === 0).sort((a, b) => a - b),
          Array.from({ length: 25 }, (_, at) => at + 1),
        );
        await app.close();
      });
    can("Nobody waits for an open transaction; what it undoes leaves a gap, and so does a deletion", async () => {
      const { app, insert } = await open(10);
      const { knex, transaction } = {
        knex: databaseOf(app.application).knex,
        transaction: databaseOf(app.application).transaction.bind(databaseOf(app.application)),
      };
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      let first = 0;
      const undone = transaction(async (open) => {
        first = await insert({}, open as never);
        await ended;
        throw new Error("undone");
      }).catch((error: Error) => error.message);
      while (first === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.is(first, 1);
      assert.is(await insert({}), 2); // while the first is open
      end();
      assert.is(await undone, "undone");
      assert.is(await insert({}), 3);
      assert.equal(
        (await knex("posts").whereNotNull("number").orderBy("id")).map(({ number }) => number),
        [`${year}/002`, `${year}/003`],
      );
      await knex("posts")
        .where({ number: `${year}/003` })
        .delete();
      assert.is(await insert({}), 4);
      assert.is(await insert({ number: `${year}/005` }), 5); // by code
      assert.is(await insert({}), 6); // what is taken is passed over
      const client = as(app.client(), 1);
      const { id } = await knex("posts")
        .where({ number: `${year}/006` })
        .first("id");
      await client.submit(`/admin/posts/${id}/actions/destroy`, {}, /posts\/\d+"/);
      assert.is(await insert({}), 7);
      await client.submit("/admin/posts", {}, /\/deletions\/[^"]+\/undo/);
      assert.is((await knex("posts").where({ id }).first()).number, `${year}/006`);
      assert.is(
        await app.application.kernel.service("numbers").numberExisting(databaseOf(app.application).model("Post").class),
        3,
      );
      await app.close();
    });
  });
}

describe("Numbers that can't be", (it) => {
  const model = "app/models/post.ts";
  const refused = (changes: Record<string, string>) =>
    bootWith({ ...files, ...changes }).then(
      () => "",
      (error: Error) => error.message,
    );
  it("A format without a counter, and a model without the plugin's line, are refused at boot", async () => {
    const format = edited(files, model, ["{year}/{000}", "{year}"]);
    assert.match(await refused({ [model]: format }), /FW_NUMBERS_FORMAT: .*\{year\}-\{0000\}/);
    const config = edited(files, "plugins.config.ts", ["numbers(), undo(),", "undo(),"]);
    assert.match(
      await refused({ "plugins.config.ts": config }),
      /FW_MODEL_PLUGIN: Post has static numbers.*Add numbers\(\)/,
    );
  });
});

describe("What fw doctor names of numbers", (it) => {
  const path = "app/models/post.ts";
  const numberedBy = (options: string) => ({
    "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "numbers()", "numbers"),
    [path]: edited(
      tenantFiles,
      path,
      ["import {", 'import { numbered } from "framewright/plugins/numbers";\nimport {'],
      [/(export default class Post [^{]*\{)/, `$1\n  static numbers = numbered("title"${options});`],
    ),
  });
  const findings = async (options: string): Promise<string> => {
    const app = await openTenants(numberedBy(options));
    try {
      const found: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.kernel.slotHooks("host").examine.promise(found as never);
      return found.flatMap(({ ok, detail }) => (ok ? [] : detail)).join("\n");
    } finally {
      await app.close();
    }
  };

  it("A counter that tenants share, unless the model says so, and a table that is missing", async () => {
    const shared = await findings("");
    assert.match(shared, /Post counts its title across all of Organization.*scope: "organization"/);
    assert.match(shared, "framewright_numbers");
    assert.not.match(await findings(', { scope: "organization" }'), "across all");
    assert.not.match(await findings(", { scope: [] }"), "across all");
  });
});
