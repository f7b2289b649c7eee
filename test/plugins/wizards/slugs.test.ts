import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, wizardFiles } from "./mounts_support.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
const post = "app/models/post.ts";
const location = (answer: Response) => answer.headers.get("location") ?? "";
const at = (step: string) => new RegExp(`action="[^"]*/${step}"`);

describe("A wizard on a record that has a slug", (it) => {
  it("Its pages, its end and the lists of open runs have the slug, also after it changed", async () => {
    const app = await openWizards({
      [migration]: edited(wizardFiles, migration, [
        /"posts", \(t\) => \{\n\s+t\.id\(\);/,
        '"posts", (t) => {\n    t.id();\n    t.string("slug").unique();',
      ]),
      [post]: edited(wizardFiles, post, ["static override", 'static override paramKey = "slug";\n  static override']),
      "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; import { openRuns } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class DashboardController extends Controller(BaseController) { async index() { return this.json(await openRuns(this)); } }`,
    });
    const { knex } = databaseOf(app.application);
    await knex("posts").where({ id: 1 }).update({ slug: "hello" });
    const ann = as(app.client(), 1);
    assert.is(
      location(await ann.request("/admin/posts/hello/wizards/configure")),
      "/admin/posts/hello/wizards/configure/first",
    );
    assert.is((await ann.request("/admin/posts/1/wizards/configure")).status, 404);
    await ann.submit("/admin/posts/hello/wizards/configure/first", { "wizard[title]": "x" }, at("first"));
    const open = async () => ((await (await ann.request("/admin")).json()) as { url: string }[]).map(({ url }) => url);
    assert.equal(await open(), ["/admin/posts/hello/wizards/configure/second"]);
    await knex("posts").where({ id: 1 }).update({ slug: "world" });
    assert.equal(await open(), ["/admin/posts/world/wizards/configure/second"]);
    const end = await ann.submit("/admin/posts/world/wizards/configure/second", {}, at("second"));
    assert.is(location(end), "/admin/posts/world");
    await app.close();
  });
});
