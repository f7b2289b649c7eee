import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, wizardFiles } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

// Pages of an application that list the open runs of a person, of one wizard or of one record, and cancel them.

const tenants = copyFixture("wizard_tenants");
const admin = "packages/admin_portal";
const routes = `${admin}/config/routes.ts`;
const postMigration = "db/migrate/20260101000000_create_tables.ts";
const files: Record<string, string> = {
  ...tenants,
  [postMigration]: edited(wizardFiles, postMigration, [
    /"posts", \(t\) => \{\n\s+t\.id\(\);/,
    '"posts", (t) => {\n    t.id();\n    t.string("type");',
  ]),
  "app/models/post.ts": edited(tenants, "app/models/post.ts", [
    "static override",
    'static override inheritance: string | undefined = "type";\n  static override',
  ]),
  "app/models/article.ts": `import Post from "./post.ts"; export default class Article extends Post {}`,
  [routes]: edited(tenants, routes, [
    'routes.get("desk"',
    'routes.get("left", { to: "left#index" }); routes.get("desk"',
  ]),
  [`${admin}/app/controllers/admin_portal/left_controller.ts`]: `import { BaseController } from "framewright"; import { openRuns } from "framewright/plugins/wizards";
    import Controller from "./concerns/controller.ts"; import Post from "#app/models/post.ts";
    import ConfigureWizard from "#app/wizards/configure_wizard.ts"; import ImportWizard from "#app/wizards/import_wizard.ts"; import OnboardWizard from "#app/wizards/onboard_wizard.ts";
    const wizards = { configure: ConfigureWizard, import: ImportWizard, onboard: OnboardWizard, misspelt: undefined };
    const records = { unsaved: () => new Post(), none: () => undefined };
    export default class LeftController extends Controller(BaseController) { async index() {
      const options = {} as { wizard?: unknown; anchor?: unknown };
      const [wizard, post] = [this.request.query.get("wizard"), this.request.query.get("post")];
      if (wizard) options.wizard = wizards[wizard as never];
      if (post) options.anchor = records[post as "none"]?.() ?? (post === "none" ? undefined : await Post.query().findById(post));
      const runs = await openRuns(this, options as never).catch((error) => error.message);
      return this.request.format === "json" ? this.json({ runs }) : this.render("index", { locals: { title: "Left", runs } });
    } }`,
  [`${admin}/app/views/admin_portal/left/index.liquid`]: `{% for run in runs %}<form method="post" action="{{ run.cancelUrl }}">{{ run.cancelInputs }}<button>Cancel {{ run.title }}</button></form>{% endfor %}`,
};
const [ann, bob] = [1, 2];
interface Listed {
  title: string;
  url: string;
  cancelUrl: string;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The open runs that a page lists, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as: by, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards(files, await database.values());
      ({ as: by, send } = requests(app.url));
      const { knex } = databaseOf(app.application);
      await knex("organizations").insert([
        { id: 1, name: "Alpine" },
        { id: 2, name: "Baltic" },
      ]);
      await knex("posts").update({ organization_id: 1 });
      await knex("posts").where({ id: 2 }).update({ title: "Second", type: "Article" });
      await knex("posts").insert({ id: 4, title: "Baltic's", organization_id: 2 });
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_wizard_runs").delete();
        await story();
      });
    const start = async (user: number, path: string) => {
      const first = (await by(user, "GET", path)).headers.get("location")!;
      assert.is((await send(user, first, { title: "x" })).status, 303, path);
      return first.replace(/first$/, "second");
    };
    const configure = (post: number, tenant = 1) => `/admin/${tenant}/posts/${post}/wizards/configure`;
    const imported = "/admin/1/posts/wizards/intake";
    const runsAt = async (path: string, user = ann) =>
      ((await (await by(user, "GET", path)).json()) as { runs: Listed[] | string }).runs;
    const listed = async (query: string, user = ann, tenant = 1) =>
      (await runsAt(`/admin/${tenant}/left${query}`, user)) as Listed[];
    const urls = async (query: string, user = ann, tenant = 1) =>
      (await listed(query, user, tenant)).map(({ url }) => url).sort();

    can("They are all of the person's, those of a wizard, those of a record, or those of both", async () => {
      const [one, two] = [await start(ann, configure(1)), await start(ann, configure(2))];
      const other = await start(ann, imported);
      await start(ann, "/admin/1/onboarding");
      assert.is((await urls("")).length, 4);
      assert.equal(await urls("?wizard=configure"), [one, two]);
      assert.equal(await urls("?wizard=import"), [other]);
      assert.equal(await urls("?post=1"), [one]);
      assert.equal(await urls("?post=2"), [two], "of a class that extends the model of the resource");
      assert.equal(await urls("?wizard=configure&post=2"), [two]);
      assert.equal(await urls("?wizard=import&post=1"), []);
    });

    can("Runs of other people and of other tenants are not listed, whatever they are narrowed by", async () => {
      await start(bob, configure(1));
      await start(bob, imported);
      const baltic = await start(ann, configure(4, 2));
      await start(ann, "/admin/2/posts/wizards/intake");
      for (const query of ["", "?wizard=configure", "?wizard=import", "?post=1", "?post=4", "?wizard=configure&post=4"])
        assert.equal(await urls(query), [], query);
      assert.equal(await urls("?post=4", ann, 2), [baltic]);
      assert.is((await urls("", ann, 2)).length, 2);
      assert.equal(await urls("", 0), [], "a guest has none");
    });

    can("An option without a wizard or a saved record is refused, so that nothing else is listed", async () => {
      await start(ann, configure(1));
      for (const [query, message] of [
        ["?wizard=misspelt", /FW_WIZARD_CLASS: openRuns\(.*got undefined/],
        ["?post=none", /FW_WIZARD_OPEN_RUNS: .*got undefined/],
        ["?post=unsaved", /FW_WIZARD_OPEN_RUNS: .*a record that is not saved/],
      ] as const)
        assert.match(String(await runsAt(`/admin/1/left${query}`)), message);
    });

    can("A DELETE of the cancel address ends the run and leads to its launch page; GET does nothing", async () => {
      for (const path of [configure(1), imported, "/admin/1/onboarding"]) {
        await start(ann, path);
        const [{ cancelUrl, url }] = (await listed("")) as [Listed];
        assert.match(cancelUrl, new RegExp(`^${path}/runs/\\d+$`));
        assert.is((await by(ann, "GET", cancelUrl)).status, 405);
        assert.is((await by(ann, "POST", cancelUrl)).status, 405);
        assert.is((await by(ann, "GET", url)).status, 200);
        assert.match(whereTo(await by(ann, "DELETE", cancelUrl)), /^303 \/admin/);
        assert.equal(await listed(""), []);
        assert.is((await by(ann, "DELETE", cancelUrl)).status, 404);
      }
      assert.equal(await databaseOf(app.application).knex("framewright_wizard_runs"), []);
    });

    can("It is the same 404 for another person, another tenant, another wizard and an unknown run", async () => {
      for (const path of [configure(1), imported]) {
        await start(ann, path);
        const [{ cancelUrl }] = (await listed(path === imported ? "?wizard=import" : "?post=1")) as [Listed];
        const id = cancelUrl.replace(/.*\//, "");
        const unknown = await (await by(ann, "DELETE", cancelUrl.replace(/\d+$/, "999999"))).text();
        const answers = [
          [bob, cancelUrl],
          [ann, cancelUrl.replace("/admin/1", "/admin/2")],
          [ann, `/admin/1/onboarding/runs/${id}`],
          [ann, `${configure(2)}/runs/${id}`],
          [ann, cancelUrl.replace(/\d+$/, `0${id}`)],
          [ann, cancelUrl.replace(/\d+$/, "x")],
        ] as const;
        for (const [user, address] of answers) {
          const answer = await by(user, "DELETE", address);
          assert.is(answer.status, 404, `${user} ${address}`);
          assert.is(await answer.text(), unknown);
        }
      }
      assert.is((await listed("")).length, 2);
    });

    can("The button of a page sends the form's token, and leads back to that page", async () => {
      await start(ann, configure(1));
      await start(ann, imported);
      const client = as(app.client(), ann);
      const page = "/admin/1/left?wizard=import";
      const html = await client.page(page);
      assert.match(html, /name="_method" value="delete"/);
      assert.not.match(JSON.stringify(await runsAt("/admin/1/left")), /authenticity_token|cancelInputs/);
      const [{ cancelUrl }] = (await listed("?wizard=import")) as [Listed];
      const forged = new URLSearchParams({ _method: "delete" });
      assert.is((await client.request(cancelUrl, { method: "POST", body: forged })).status, 403);
      const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(html)![1]!;
      const headers = { referer: `${app.url}${page}` };
      const body = () => new URLSearchParams({ _method: "delete", authenticity_token });
      const elsewhere = (await listed("?post=1"))[0]!.cancelUrl;
      assert.is(
        (await client.request(elsewhere, { method: "POST", body: body() })).status,
        403,
        "a token fits one run",
      );
      assert.is(whereTo(await client.request(cancelUrl, { method: "POST", headers, body: body() })), `303 ${page}`);
      assert.is((await listed("")).length, 1);
      assert.match(await client.page(page), "Your answers were discarded");
    });
  });
}
