import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
/** A second portal whose visitors are partners: another table, the same ids, the same header. */
const partners: Record<string, string> = {
  "db/migrate/20260101000002_partners.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("partners", (t) => { t.id(); t.string("name").notNull(); }); await db.createTable("shops", (t) => { t.id(); t.string("title").notNull(); }); }
    export async function down(db: Schema) { await db.dropTable("shops"); await db.dropTable("partners"); }`,
  "app/models/partner.ts": `import { Model } from "framewright/plugins/database"; export default class Partner extends Model("partners") {}`,
  "app/models/shop.ts": `import { Model } from "framewright/plugins/database"; export default class Shop extends Model("shops") {}`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { PartnerPortal } from "#packages/partner_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); routes.mount(PartnerPortal, { at: "/partner" }); });`,
  "packages/partner_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const PartnerPortal = definePortal("PartnerPortal");`,
  "packages/partner_portal/config/routes.ts": `import { PartnerPortal } from "../lib/engine.ts"; import type {} from "framewright/plugins/wizards"; import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import TokenedWizard from "#app/wizards/tokened_wizard.ts";
    export default PartnerPortal.routes.draw((routes) => { routes.root({ to: "dashboard#index" }); routes.registerWizard(OnboardWizard, { at: "onboarding" }); routes.registerWizard(TokenedWizard, { at: "tokened" }); });`,
  "packages/partner_portal/app/controllers/partner_portal/concerns/controller.ts": edited(
    wizardFiles,
    concern,
    [/User/g, "Partner"],
    [/CurrentPartner/g, "CurrentUser"],
    ["models/user", "models/partner"],
  ),
  "packages/partner_portal/app/controllers/partner_portal/dashboard_controller.ts":
    wizardFiles["packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts"]!,
  "packages/partner_portal/app/views/partner_portal/dashboard/index.liquid": "<h1>Partners</h1>",
  "app/wizards/tokened_wizard.ts": wizardFile("TokenedWizard", ""),
  "app/wizards/either_wizard.ts": wizardFile("EitherWizard", "anchored: anchored({ with: [Post, Shop] })", {
    imports: `import Post from "#app/models/post.ts"; import Shop from "#app/models/shop.ts";`,
  }),
  "app/definitions/shop_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import type Shop from "#app/models/shop.ts"; import EitherWizard from "../wizards/either_wizard.ts";
    export default class ShopDefinition extends ResourceDefinition<Shop> { override configure() { super.configure(); this.wizard("either", EitherWizard); } }`,
  "app/definitions/post_definition.ts": edited(
    wizardFiles,
    "app/definitions/post_definition.ts",
    ["import ConfigureWizard", `import EitherWizard from "../wizards/either_wizard.ts"; import ConfigureWizard`],
    ["super.configure();", `super.configure(); this.wizard("either", EitherWizard);`],
  ),
  "app/policies/shop_policy.ts": edited(
    wizardFiles,
    "app/policies/comment_policy.ts",
    [/Comment/g, "Shop"],
    [/comment/g, "shop"],
    ["canReview", "canEither"],
  ),
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    "canIntake()",
    "canEither() { return true; } canIntake()",
  ]),
  "app/wizards/keyed_wizard.ts": wizardFile(
    "KeyedWizard",
    `concurrencyKey: (run) => run.currentUser, cleanupAfter: "never"`,
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(OnboardWizard, { at: "onboarding" }); routes.registerWizard(TokenedWizard, { at: "tokened" }); routes.registerWizard(KeyedWizard, { at: "keyed" }); routes.registerResource(Shop);`,
    `import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import TokenedWizard from "#app/wizards/tokened_wizard.ts"; import KeyedWizard from "#app/wizards/keyed_wizard.ts"; import Shop from "#app/models/shop.ts";`,
  ),
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Attacks on runs, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards(partners, await database.values());
      ({ as, send } = requests(app.url));
      await databaseOf(app.application)
        .knex("partners")
        .insert([{ id: 1, name: "Pat" }]);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_wizard_runs").delete();
        await body();
      });

    const runOf = async (path: string) =>
      ((await (await as(1, "GET", path)).json()) as { data: { run: string } }).data.run;

    can("An account of another table with the same id does not reach a user's run, keyed or tokened", async () => {
      await as(1, "GET", "/admin/onboarding");
      assert.is(
        whereTo(await send(1, "/admin/onboarding/first", { title: "Ann's secret" })),
        "303 /admin/onboarding/second",
      );
      assert.is(whereTo(await as(1, "GET", "/partner/onboarding")), "303 /partner/onboarding/first");
      assert.not.match(await (await as(1, "GET", "/partner/onboarding/first")).text(), "secret");
      const first = (await as(1, "GET", "/admin/tokened")).headers.get("location")!;
      await send(1, first, { title: "Ann's secret" });
      assert.is((await as(1, "GET", first.replace("/admin", "/partner"))).status, 404);
      assert.equal((await (await as(1, "GET", "/partner/tokened/runs")).json()) as object, { data: [] });
    });

    can("A post from the page of a completed run does not reach the run that was launched after it", async () => {
      await as(1, "GET", "/admin/keyed");
      const old = await runOf("/admin/keyed/first");
      await send(1, "/admin/keyed/first", { title: "Old" });
      await send(1, "/admin/keyed/second", {});
      await as(1, "GET", "/admin/keyed");
      assert.is(whereTo(await send(1, "/admin/keyed/first", { title: "Late", _run: old })), "303 /admin");
      const { data } = (await (await as(1, "GET", "/admin/keyed/first")).json()) as { data: { values: object } };
      assert.equal(data.values, {});
    });

    can("The runs listed for a record do not include those of another model's record with the same id", async () => {
      await databaseOf(app.application).knex("shops").insert({ id: 1, title: "Corner" });
      await as(1, "GET", "/admin/shops/1/wizards/either");
      await send(1, "/admin/shops/1/wizards/either/first", { title: "x" });
      const runs = async (at: string) =>
        ((await (await as(1, "GET", `/admin/${at}/1/wizards/either/runs`)).json()) as { data: object[] }).data.length;
      assert.is(await runs("shops"), 1);
      assert.is(await runs("posts"), 0);
    });

    can("The form of a cancelled run is never applied to another run", async () => {
      await as(1, "GET", "/admin/keyed");
      const id = await runOf("/admin/keyed/first");
      await send(1, "/admin/keyed/first", {}, "cancel");
      assert.is((await send(1, "/admin/keyed/first", { title: "Late", _run: id })).status, 404);
      await as(1, "GET", "/admin/keyed");
      assert.is(whereTo(await send(1, "/admin/keyed/first", { title: "Late", _run: id })), "303 /admin/keyed/first");
      assert.is((await as(1, "PUT", "/admin/keyed/first", { wizard: { title: "Late", _run: id } })).status, 409);
      assert.is(whereTo(await send(1, "/admin/keyed/first", { _run: id }, "cancel")), "303 /admin/keyed/first");
      assert.not.match(await (await as(1, "GET", "/admin/keyed/first")).text(), "Late");
      await send(2, "/admin/keyed/first", { title: "Foreign", _run: await runOf("/admin/keyed/first") });
      assert.not.match(await (await as(1, "GET", "/admin/keyed/first")).text(), "Foreign");
    });

    can("A person can't cancel another person's run, by its id or by its token", async () => {
      await as(1, "GET", "/admin/keyed");
      const id = await runOf("/admin/keyed/first");
      await as(2, "GET", "/admin/keyed");
      await send(2, "/admin/keyed/first", { _run: id }, "cancel");
      const tokened = (await as(1, "GET", "/admin/tokened")).headers.get("location")!;
      assert.is((await send(2, tokened, {}, "cancel")).status, 404);
      assert.is(await runOf("/admin/keyed/first"), id);
      assert.is((await as(1, "GET", tokened)).status, 200);
    });

    can("The completed page redirects neither to another site nor to the wizard's own pages", async () => {
      await as(1, "GET", "/admin/onboarding");
      await send(1, "/admin/onboarding/first", { title: "x" });
      await send(1, "/admin/onboarding/second", {});
      const to = async (path: string, headers = {}) =>
        fetch(`${app.url}/admin/onboarding/completed?to=${encodeURIComponent(path)}`, {
          redirect: "manual",
          headers: { "x-user": "1", ...headers },
        });
      assert.is(whereTo(await to("/admin/posts")), "303 /admin/posts");
      for (const evil of [
        "https://evil.test",
        "//evil.test",
        "/\\evil.test",
        "/admin/onboarding",
        "/admin/onboarding/first",
        "/admin/%6fnboarding/completed",
      ]) {
        assert.is(whereTo(await to(evil)), "200", evil);
        assert.not.match(
          await (await to(evil, { "turbo-frame": "modal" })).text(),
          evil === "/admin/onboarding" ? 'onboarding"' : evil,
        );
      }
      const headers = {
        "x-user": "1",
        "turbo-frame": "modal",
        accept: "text/html",
        "content-type": "application/json",
      };
      const again = await fetch(`${app.url}/admin/onboarding/second`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: "{}",
      });
      assert.is(whereTo(again), "303 /admin/onboarding/completed");
    });

    can("A completed run gets an expiry although open runs of the wizard have none", async () => {
      await as(1, "GET", "/admin/keyed");
      await send(1, "/admin/keyed/first", { title: "x" });
      const rows = () => databaseOf(app.application).knex("framewright_wizard_runs").select("expires_at");
      assert.equal(await rows(), [{ expires_at: null }]);
      await send(1, "/admin/keyed/second", {});
      assert.not.equal(await rows(), [{ expires_at: null }]);
    });
  });
}
