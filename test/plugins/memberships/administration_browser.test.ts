import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, type Visit, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { addPeople, databaseOf, signIn } from "../authlib/accounts.ts";
import { post } from "../authlib/promises/support.ts";
import { memberFiles, openMembers } from "./members_app.ts";

const reason = await reasonToSkip("browser");
const routes = "packages/admin_portal/config/routes.ts";
const files = {
  [routes]: edited(
    memberFiles,
    routes,
    ["routes.registerResource(Organization);", "routes.registerResource(Organization); routes.registerResource(User);"],
    ["import Organization", 'import User from "#app/models/user.ts"; import Organization'],
  ),
  "packages/admin_portal/app/controllers/admin_portal/users_controller.ts": memberFiles[
    "packages/admin_portal/app/controllers/admin_portal/organizations_controller.ts"
  ]!.replace("OrganizationsController", "UsersController"),
  "app/definitions/user_definition.ts": `import { accountActions } from "framewright/plugins/authlib/actions"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class UserDefinition extends ResourceDefinition { override configure() { super.configure(); accountActions(this, { changeLogin: "manage_account" }); } }`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy { override canRead() { return true; } canManageAccount() { return true; } canShowSignIns() { return true; }
    override permittedAttributesForRead() { return ["email", "account_status"]; } override permittedAttributesForLabel() { return ["email", "name"]; } }`,
  "config/locales/en.json": JSON.stringify({
    models: {
      member: {
        value_texts: {
          role: {
            owner: "Decides about everything, and who else does.",
            admin: "Invites members, and changes the settings.",
          },
        },
      },
    },
  }),
};

describe("Accounts, owners and roles, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openMembers({}, files);
      const people = await addPeople(
        app,
        "user",
        ...Array.from({ length: 26 }, (_, at) => `person.${at}@example.test`),
      );
      const { knex } = databaseOf(app.application);
      await knex("organizations").insert([{ name: "Alder" }, { name: "Birch" }]);
      for (const [at, user_id] of people.entries())
        await knex("members").insert({
          organization_id: 1,
          user_id,
          role: at === 0 ? "owner" : "member",
          created_at: new Date(),
          updated_at: new Date(),
        });
      await signIn(app, "user", "person.0@example.test");
      await signIn(app, "user", "person.0@example.test", { remember: "1" });
      await post(app, "/users/login", { login: "person.0@example.test", password: "a wrong horse" });
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const enter = async (type: string, login: string, options: Visit = {}) => {
    const opened = await visit(browser, app.url, options);
    const client = await signIn(app, type, login);
    await opened.context.addCookies([{ name: "fw_session", value: client.cookie("fw_session")!, url: app.url }]);
    return opened;
  };

  it.unless(
    reason,
    "An administrator ends a session, and members find their roles, without JavaScript too",
    async () => {
      for (const script of [true, false]) {
        const root = await enter("admin", "root@example.test", { script });
        await root.page.goto(`${app.url}/admin/users/1`);
        if (script) await root.page.getByRole("tab", { name: "Sessions", exact: true }).last().click();
        const ends = root.page.locator('form[action$="end_session"] button');
        const count = await ends.count();
        assert.ok(count > 0);
        await ends.first().click();
        await root.page.getByText("The session is ended.").waitFor();
        assert.is(await ends.count(), count - 1);
        const ann = await enter("user", "person.0@example.test", { script });
        await ann.page.goto(`${app.url}/user/1/members`);
        await ann.page.getByRole("link", { name: "Roles" }).click();
        await ann.page.getByRole("heading", { name: "Roles" }).waitFor();
        await ann.page.getByText("5 more").waitFor();
        for (const { context, problems } of [root, ann]) {
          assert.equal(problems, []);
          await context.close();
        }
      }
    },
  );
  for (const name of Object.keys(widths) as (keyof typeof widths)[]) {
    it.unless(reason, `The pages fit a ${name} screen, and axe finds nothing`, async () => {
      const root = await enter("admin", "root@example.test", { width: name });
      for (const [path, title] of [
        ["/admin/users/1", "account"],
        ["/admin/users/1/actions/change_login", "change-login"],
        ["/admin/organizations/2", "tenant"],
        ["/admin/organizations/2/actions/invite_owner", "invite-owner"],
      ] as const) {
        await root.page.goto(app.url + path);
        await assertFitInThemes(root.page, `${title}-${name}`);
        if (title !== "account") continue;
        for (const panel of ["Sessions", "Sign-ins and changes"]) {
          const tab = root.page.getByRole("tab", { name: panel, exact: true });
          if ((await tab.count()) > 0) await tab.last().click();
          await assertFitInThemes(root.page, `${panel.toLowerCase().replaceAll(" ", "-")}-${name}`);
        }
      }
      await root.context.close();
      const ann = await enter("user", "person.0@example.test", { width: name });
      for (const [path, title] of [
        ["/user/1/members", "members"],
        ["/user/1/members/_roles", "roles"],
      ] as const) {
        await ann.page.goto(app.url + path);
        await assertFitInThemes(ann.page, `${title}-${name}`);
      }
      await ann.context.close();
    });
  }
});
