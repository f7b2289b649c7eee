import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelClass } from "framewright/plugins/database";
import { fwOk, newApp, runFw, typeCheck } from "../generators/support.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";
import { Client } from "../testing/client.ts";
import { openAudited } from "./fw_audit_app.ts";
import { installed, must, type Published, publish } from "./publish.ts";

// The worked example of docs/how-to/write-a-plugin.md, as its author publishes it: built against the package's types,
// packed, and installed.

const source = join(import.meta.dirname, "fw-audit");
const clone = join(import.meta.dirname, "../..");
const guide = readFileSync(join(clone, "docs/how-to/write-a-plugin.md"), "utf8");
let package_: Promise<Published> | undefined;
const published = () => (package_ ??= publish("fw-audit"));

const sourcesBelow = (folder: string): [path: string, text: string][] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|js|json|liquid)$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);

class Person extends Client {
  readonly #id: number;

  constructor(url: string, id: number) {
    super(url);
    this.#id = id;
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": String(this.#id) } });
  }
  send(path: string, method: string, body: object = {}): Promise<Response> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    return this.request(path, { method, headers, body: JSON.stringify(body) });
  }
}

describe("The package fw-audit, compiled and packed by its author", (it) => {
  it("Its source has no cast, and its archive what runs alone", async () => {
    for (const [path, text] of sourcesBelow(join(source, "src")))
      assert.not.match(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), /\bas (?!const\b|in\b)\w+|\bany\b|@ts-/, path);
    const { unpacked } = await published();
    assert.equal(readdirSync(unpacked).sort(), ["README.md", "dist", "locales", "migrate", "package.json", "views"]);
  });
  it("Its types check strictly with its tests, which pass", async () => {
    const { folder } = await published();
    await must(process.execPath, [join(clone, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], folder);
    const tested = ["--import", "framewright/register", "--test", "test/audit.test.ts"];
    assert.match(await must(process.execPath, tested, folder), "# pass 4");
  });
  it("What docs/how-to/write-a-plugin.md shows of it is its code", () => {
    const files = new Map(sourcesBelow(source));
    const shown = [...guide.matchAll(/^```\w+ fw-audit\/(\S+)\n([\s\S]*?)^```$/gm)];
    assert.ok(shown.length >= 8);
    for (const [, path, text] of shown)
      for (const part of text!.split(/^ *(?:\/\/ )?…\n/m))
        assert.ok(files.get(path!)?.includes(part), `${path} does not contain\n${part}`);
  });
  it("An application that installs it compiles; its command, its generator and its job are there", async () => {
    const app = await newApp();
    cpSync((await published()).unpacked, join(app, "node_modules/fw-audit"), { recursive: true });
    const config = join(app, "plugins.config.ts");
    const text = readFileSync(config, "utf8").replace("definePlugins([", "definePlugins([audit({ keepDays: 90 }), ");
    writeFileSync(config, `import { audit } from "fw-audit";\n${text}`);
    await fwOk(app, "g", "fw:jobs:install");
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--byo");
    await fwOk(app, "g", "fw:res:conn", "Post", "--dest=admin_portal");
    await fwOk(app, "g", "audit:policy", "Post");
    const policy = () => readFileSync(join(app, "app/policies/post_policy.ts"), "utf8");
    assert.match(policy(), /canAudit\(\) \{\n {4}return this\.canUpdate\(\);/);
    const once = policy();
    await fwOk(app, "g", "audit:policy", "Post");
    assert.is(policy(), once);
    assert.is((await runFw(app, "g", "audit:policy", "Pots")).code, 2);
    const checked = await typeCheck(app);
    assert.is(checked.code, 0, checked.out);
    assert.equal(JSON.parse((await fwOk(app, "audit:list", "Post", "--json")).out), []);
    assert.match((await fwOk(app, "jobs", "--schedules")).out, "audit:prune");
    const refused = await runFw(app, "audit:list", "--limit=many");
    assert.equal([refused.code, refused.err.includes("AUDIT_LIMIT")], [1, true]);
  }, 180_000);
});

for (const database of await databases()) {
  describe(`An application with fw-audit, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAudited(installed("fw-audit", (await published()).unpacked), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const posts = (): ModelClass => databaseOf(app.application).model("Post").class;
    const at = "/customer/1/posts/1";
    const [ann, bob, cat] = [1, 2, 3].map((id) => () => new Person(app.url, id)) as [
      () => Person,
      () => Person,
      () => Person,
    ];
    const lines = async () => {
      const rows = await databaseOf(app.application).knex("audit_lines").orderBy("id");
      return rows.map((row) => ({ ...row, changes: JSON.parse(row.changes) }));
    };
    const taken = async () => {
      const found = await lines();
      await databaseOf(app.application).knex("audit_lines").delete();
      return found;
    };
    const title = (line: { changes: { title: { from: unknown; to: unknown } } }) => [
      line.changes.title.from,
      line.changes.title.to,
    ];

    can("A form, JSON, an interaction, a wizard, a job and code each leave one line, with who did it", async () => {
      const byAnn = { person: "User/1", portal: "CustomerPortal", wizard: null, job: null, tenant: "Organization/1" };
      const one = async (from: string | null, to: string, by: object) => {
        const [line, ...more] = await taken();
        assert.equal([more.length, title(line!)], [0, [from, to]]);
        assert.equal({ ...line, ...by }, line);
      };
      assert.is((await ann().submit(`${at}/edit`, { "post[title]": "By the form" })).status, 303);
      await one("Post Alpine", "By the form", byAnn);
      assert.is((await ann().send(at, "PATCH", { post: { title: "By JSON" } })).status, 200);
      await one("By the form", "By JSON", byAnn);
      assert.is((await ann().send(`${at}/actions/publish`, "POST")).status, 200);
      await one("By JSON", "By the interaction", byAnn);
      const client = ann();
      const step = (await client.request(`${at}/wizards/rename`)).headers.get("location")!;
      assert.is((await client.submit(step, { "wizard[title]": "By the wizard" })).status, 303);
      await one("By the interaction", "By the wizard", { ...byAnn, wizard: "RenameWizard" });
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("rename", {});
      await jobs.drain();
      await one("By the wizard", "By the job", { person: null, portal: null, job: "rename", tenant: "Organization/1" });
      await posts()
        .query()
        .findById(1)
        .patch({ title: "By code" } as never);
      await one("By the job", "By code", { person: null, portal: null, job: null, tenant: "Organization/1" });
    });

    can("Another package that taps audit.recorded hears of each, in its transaction", async () => {
      const { knex } = databaseOf(app.application);
      await knex("lines").delete();
      await posts()
        .query()
        .findById(2)
        .patch({ title: "Heard" } as never);
      const heard = await knex("lines").select("kind", "now", "post");
      assert.equal(
        heard.map(({ kind, now, post }) => [kind, now, Number(post)]),
        [["updated", "Post", 2]],
      );
      await databaseOf(app.application)
        .transaction(async (transaction) => {
          await posts()
            .query(transaction)
            .findById(2)
            .patch({ title: "Undone" } as never);
          throw new Error("no");
        })
        .catch(() => undefined);
      assert.is((await knex("lines")).length, 1);
      assert.is((await taken()).length, 1);
    });

    can(
      "The panel and the page show a person's own tenant, what the policy permits, and nothing to others",
      async () => {
        await ann().send(at, "PATCH", { post: { title: "Alpine secret" } });
        await cat().send("/customer/2/posts/2", "PATCH", { post: { title: "Baltic secret" } });
        assert.match(await ann().page(at), "Alpine secret");
        assert.match(await ann().page(at), /panel-audit[\s\S]*User 1: changed[\s\S]*→ Alpine secret/);
        assert.match(await ann().page(at), '"/customer/1/trail"');
        const page = await ann().page("/customer/1/trail");
        assert.match(page, /User 1: changed/);
        assert.not.match(page, "Post 2");
        const json = await ann().json("/customer/1/trail");
        assert.equal(
          (json.body.data as { record: string; changes?: object }[]).map(({ record, changes }) => [record, changes]),
          [["1", undefined]],
        );

        const refused = bob();
        assert.is((await refused.request("/customer/2/trail")).status, 403);
        assert.not.match(await refused.page("/customer/2/posts/2"), /panel-audit|\/trail/);
        assert.is((await refused.request("/customer/1/trail")).status, 404);
        assert.is((await ann().request("/customer/2/trail")).status, 404);
        for (const path of ["/customer/1/trail", "/guest/1/trail"])
          assert.is((await app.request(path, { headers: { accept: "application/json" } })).status, 401, path);
        const open = await app.client().page("/guest/1/posts/1");
        assert.match(open, "Alpine secret");
        assert.not.match(open, /panel-audit|\/trail/);
        await taken();
      },
    );

    can("A record that the policy withholds, one that moved, and a model of all tenants are on no page", async () => {
      const ids = async (id: number, who: () => Person) =>
        ((await who().json(`/customer/${id}/trail`)).body.data as { record: string }[]).map(({ record }) => record);
      await ann().send(at, "PATCH", { post: { title: "Sealed" } });
      assert.equal(await ids(1, ann), []);
      await ann().send(at, "PATCH", { post: { title: "Open" } });
      assert.equal(await ids(1, ann), ["1", "1"]);
      await posts()
        .query()
        .findById(1)
        .patch({ organization_id: 2 } as never);
      assert.equal([await ids(1, cat), await ids(2, cat)], [[], []]);
      await posts()
        .query()
        .findById(1)
        .patch({ organization_id: 1 } as never);
      await databaseOf(app.application).insert(databaseOf(app.application).model("Category").class, { name: "New" });
      assert.is(
        (await lines()).some(({ model }) => model === "Category"),
        false,
      );
      await taken();
      const made = await ann().send("/customer/1/posts", "POST", { post: { title: "Short-lived" } });
      const { id } = ((await made.json()) as { data: { id: number } }).data;
      assert.is((await ann().send(`/customer/1/posts/${id}`, "DELETE")).status, 204);
      assert.equal(await ids(1, ann), [String(id), String(id)]);
      assert.equal(await ids(2, cat), []);
    });

    can("Lines that are older than keepDays are removed by the job", async () => {
      const { knex } = databaseOf(app.application);
      await taken();
      const line = { kind: "created", model: "Post", record: "1", changes: "{}" };
      await knex("audit_lines").insert([
        { ...line, at: "2020-01-01T00:00:00.000Z" },
        { ...line, at: new Date().toISOString() },
      ]);
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("audit:prune", {});
      await jobs.drain();
      assert.is((await lines()).length, 1);
    });
  });
}
