import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

// Whose a run is: of the portal that it was launched in, its tenant, and the person who launched it.

const imports = `import Post from "#app/models/post.ts";`;
const names = ["KeyedWizard", "OnceWizard", "TeamWizard", "TokenedWizard", "SharedWizard", "OpenWizard"] as const;
const fileOf = (name: string) => `${name.replace("Wizard", "").toLowerCase()}_wizard`;
const registered = names
  .filter((name) => !["TeamWizard", "SharedWizard"].includes(name))
  .map((name) => `routes.registerWizard(${name}, { at: "${name.replace("Wizard", "").toLowerCase()}" });`)
  .join(" ");
const imported = names.map((name) => `import ${name} from "#app/wizards/${fileOf(name)}.ts";`).join(" ");
const byRecord = `anchored: anchored({ with: Post }), concurrencyKey: (run) => run.anchor`;
const listed = `import { openRuns } from "framewright/plugins/wizards"; import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
  export default class DashboardController extends Controller(BaseController) { index() { return this.json({}); }
    async left() { return this.json((await openRuns(this)).map(({ url }) => url)); }
    gated() { return this.json({ in: true }); } }`;
const gated = `import { concern, BaseController } from "framewright"; import { WizardGate } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts"; import OnceWizard from "#app/wizards/once_wizard.ts";
  export default class GatedController extends Controller(concern(BaseController, WizardGate)) { static override beforeActions = ["done"]; done() { return this.ensureWizardCompleted(OnceWizard); } index() { return this.json({ in: true }); } }`;
const pages = `routes.get("left", { to: "dashboard#left" }); routes.get("gated", { to: "gated#index" });`;
const admin = "packages/admin_portal";
const desk = "packages/desk_portal";
const routes = portalRoutes(`${registered} ${pages}`, imported);
/** The same people come in through a second portal. */
const files: Record<string, string> = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { DeskPortal } from "#packages/desk_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); routes.mount(DeskPortal, { at: "/desk" }); });`,
  ...Object.fromEntries(
    Object.entries({
      KeyedWizard: `concurrencyKey: (run) => run.currentUser`,
      OnceWizard: `concurrencyKey: () => "everybody", oneTime: true`,
      TeamWizard: byRecord,
      SharedWizard: `${byRecord}, shared: true`,
      TokenedWizard: "",
      OpenWizard: "shared: true",
    }).map(([name, options]) => [`app/wizards/${fileOf(name)}.ts`, wizardFile(name, options, { imports })]),
  ),
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import type Post from "#app/models/post.ts";
    import TeamWizard from "../wizards/team_wizard.ts"; import SharedWizard from "../wizards/shared_wizard.ts";
    export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure(); this.wizard("team", TeamWizard); this.wizard("shared", SharedWizard); } }`,
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    "canIntake()",
    'canTeam() { return true; } canShared() { return this.record !== undefined && (this.user as { name?: string } | undefined)?.name !== "Cem"; } canIntake()',
  ]),
  [`${admin}/config/routes.ts`]: routes,
  [`${admin}/app/controllers/admin_portal/dashboard_controller.ts`]: listed,
  [`${admin}/app/controllers/admin_portal/gated_controller.ts`]: gated,
  [`${desk}/lib/engine.ts`]: edited(wizardFiles, `${admin}/lib/engine.ts`, [/AdminPortal/g, "DeskPortal"]),
  [`${desk}/config/routes.ts`]: editedText(routes, [/AdminPortal/g, "DeskPortal"]),
  [`${desk}/app/controllers/desk_portal/dashboard_controller.ts`]: listed,
  [`${desk}/app/controllers/desk_portal/gated_controller.ts`]: gated,
  ...Object.fromEntries(
    ["concerns/controller.ts", "resource_controller.ts"].map((name) => [
      `${desk}/app/controllers/desk_portal/${name}`,
      wizardFiles[`${admin}/app/controllers/admin_portal/${name}`]!,
    ]),
  ),
};
const [ann, bob, cem] = [1, 2, 3];
const runsTable = "framewright_wizard_runs";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The portal and the owner of a run, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards(files, await database.values());
      ({ as, send } = requests(app.url));
      await databaseOf(app.application).knex("users").insert({ id: cem, name: "Cem" });
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex(runsTable).delete();
        await story();
      });
    const go = async (user: number, path: string) => whereTo(await as(user, "GET", path));
    const text = async (user: number, path: string) => (await as(user, "GET", path)).text();
    const data = async (user: number, path: string) =>
      ((await (await as(user, "GET", path)).json()) as { data: { url: string; values: object }[] }).data;

    can("Another portal starts a separate run for the same user", async () => {
      for (const path of ["keyed", "posts/1/wizards/team", "posts/1/wizards/shared"]) {
        await as(ann, "GET", `/admin/${path}`);
        await send(ann, `/admin/${path}/first`, { title: "Ann's secret" });
        assert.is(await go(ann, `/desk/${path}/second`), `303 /desk/${path}`, "no run yet");
        assert.is((await send(ann, `/desk/${path}/second`)).status, 404);
        assert.is(await go(ann, `/desk/${path}`), `303 /desk/${path}/first`);
        assert.not.match(await text(ann, `/desk/${path}/first`), "secret");
        assert.equal(await data(ann, `/desk/${path}/runs`), []);
        assert.is(await go(ann, `/admin/${path}`), `303 /admin/${path}/second`);
        assert.match(await text(ann, `/admin/${path}/first`), "secret");
      }
    });

    can("A run's token is 404 in another portal and for another user", async () => {
      const first = (await go(ann, "/admin/tokened")).replace("303 ", "");
      await send(ann, first, { title: "Ann's secret" });
      const { run } = ((await (await as(ann, "GET", first)).json()) as { data: { run: string } }).data;
      for (const [user, path] of [
        [ann, first.replace("/admin", "/desk")],
        [bob, first],
        [bob, first.replace("/admin", "/desk")],
      ] as const) {
        for (const step of ["first", "second", "completed"])
          assert.is((await as(user, "GET", path.replace(/first$/, step))).status, 404);
        for (const body of [{}, { _direction: "back" }, { _direction: "cancel" }])
          for (const wizard of [{ title: "theirs" }, { title: "theirs", _run: run }])
            assert.is((await as(user, "POST", path, { ...body, wizard })).status, 404);
        assert.is((await as(user, "PUT", path, { wizard: { title: "theirs" } })).status, 404);
      }
      assert.match(await text(ann, first), "secret");
      assert.is((await as(bob, "GET", "/admin/tokened/AAAAAAAAAAAAAAAAAAAAAAAA/first")).status, 404);
      assert.is((await data(ann, "/admin/tokened/runs")).length, 1);
      for (const [user, path] of [
        [bob, "/admin/tokened/runs"],
        [ann, "/desk/tokened/runs"],
      ] as const)
        assert.equal(await data(user, path), []);
    });

    can("A run belongs to its launcher although concurrencyKey does not name the user", async () => {
      const path = "/admin/posts/1/wizards/team";
      await as(ann, "GET", path);
      await send(ann, `${path}/first`, { title: "Ann's secret" });
      const { run } = ((await (await as(ann, "GET", `${path}/first`)).json()) as { data: { run: string } }).data;
      assert.is((await send(bob, `${path}/second`)).status, 404);
      assert.is((await send(bob, `${path}/first`, { title: "Bob", _run: run }, "cancel")).status, 404);
      assert.is(await go(bob, path), `303 ${path}/first`);
      assert.not.match(await text(bob, `${path}/first`), "secret");
      assert.is(await go(ann, path), `303 ${path}/second`);
      assert.is((await databaseOf(app.application).knex(runsTable)).length, 2);
      assert.equal(await data(bob, `${path}/runs`), []);
      assert.equal(await (await as(bob, "GET", "/admin/left")).json(), []);
      assert.equal(await (await as(ann, "GET", "/admin/left")).json(), [`${path}/second`]);
      assert.equal(await (await as(ann, "GET", "/desk/left")).json(), []);
    });

    can("A shared run is continued by every user whom the policy permits, in its own portal", async () => {
      const path = "/admin/posts/1/wizards/shared";
      await as(ann, "GET", path);
      await send(ann, `${path}/first`, { title: "Ours" });
      assert.is(await go(bob, path), `303 ${path}/second`);
      assert.match(await text(bob, `${path}/first`), "Ours");
      assert.equal(
        (await data(bob, `${path}/runs`)).map(({ url }) => url),
        [`${path}/second`],
      );
      assert.is((await as(cem, "GET", path)).status, 403);
      assert.is((await as(cem, "GET", `${path}/first`)).status, 403);
      assert.is(await go(bob, "/admin/posts/2/wizards/shared"), "303 /admin/posts/2/wizards/shared/first");
      assert.is((await send(bob, `${path}/second`, { note: "Bob's" })).status, 303);
      const first = (await go(ann, "/admin/open")).replace("303 ", "");
      await send(ann, first, { title: "Ours too" });
      assert.match(await text(bob, first), "Ours too");
      assert.is((await as(bob, "GET", first.replace("/admin", "/desk"))).status, 404);
      assert.is((await as(bob, "GET", first.replace("/open", "/tokened"))).status, 404);
    });

    can("A gate opens only for the user who completed its wizard, in the portal where it was completed", async () => {
      await as(ann, "GET", "/admin/once");
      await send(ann, "/admin/once/first", { title: "x" });
      await send(ann, "/admin/once/second");
      assert.is((await as(ann, "GET", "/admin/gated")).status, 200);
      for (const [user, path] of [
        [bob, "/admin/gated"],
        [ann, "/desk/gated"],
      ] as const)
        assert.is((await as(user, "GET", path)).status, 403, `${user} ${path}`);
      assert.is(await go(bob, "/admin/once"), "303 /admin/once/first");
    });

    can("markCompleted marks a wizard as completed in every portal that mounts it", async () => {
      const { kernel, constants } = app.application;
      const Once = constants.get("OnceWizard").value as never;
      const person = { account: "byo users", user: { id: ann } as never };
      await kernel.service("wizards").markCompleted(Once, person);
      const { knex } = databaseOf(app.application);
      const rows = await knex(runsTable).orderBy("portal");
      assert.equal(
        rows.map(({ portal, state }) => [portal, state]),
        [
          ["AdminPortal", "completed"],
          ["DeskPortal", "completed"],
        ],
      );
    });

    can(
      "A run whose key was stored without portal and user is found by its owner only, and gets the new key",
      async () => {
        const path = "/admin/posts/1/wizards/team";
        await as(ann, "GET", path);
        await send(ann, `${path}/first`, { title: "Ann's secret" });
        const { knex } = databaseOf(app.application);
        const former = await formerKey(app, "TeamWizard", "Post/1");
        await knex(runsTable).update({ identity: former, claim: former });
        assert.is(await go(bob, path), `303 ${path}/first`);
        assert.is(await go(ann, path.replace("/admin", "/desk")), "303 /desk/posts/1/wizards/team/first");
        assert.is(await go(ann, path), `303 ${path}/second`);
        assert.is((await knex(runsTable).where({ identity: former })).length, 0);
        assert.match(await text(ann, `${path}/first`), "secret");
      },
    );
  });
}

/** The digest that a run of an anchor had before. */
async function formerKey(app: TestApp, wizard: string, anchor: string): Promise<string> {
  const { openDigests } = await import("framewright/host");
  const digests = openDigests(app.application.settings, "wizards");
  return digests.digest(JSON.stringify(["key", wizard, null, anchor, [anchor]]));
}
