import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { tables } from "../wizards/mounts_support.ts";
import { addPeople, everyday, openAccounts, signIn } from "./accounts.ts";

const shown = `<p>{{ authlib.type }} {% if authlib.signed_in %}in{% else %}out{% endif %}</p>
  {% for feature in authlib.features %}<b>{{ feature[0] }}</b>{% endfor %}
  {% for url in authlib.urls %}<a href="{{ url[1] }}">{{ url[0] }}</a>{% endfor %}
  {% if authlib.features.otp %}has otp{% endif %}<script type="application/json" id="facts">{{ authlib | json_script }}</script>`;
const linksOf = (page: string) =>
  Object.fromEntries([...page.matchAll(/<a href="([^"]*)">([a-z_]+)<\/a>/g)].map(([, url, name]) => [name, url]));

describe("Authlib in views", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAccounts(
      { user: { features: `${everyday}, otp(), activeSessions()` }, clerk: { features: "login()" } },
      {
        files: {
          "packages/user_portal/app/views/user_portal/home/index.liquid": shown,
          "packages/clerk_portal/app/views/clerk_portal/home/index.liquid": shown,
          "app/views/authlib/reset_password_request.liquid": shown,
        },
      },
    );
    await addPeople(app, "user", "ann@example.test");
    await addPeople(app, "clerk", "cleo@example.test");
  });
  after(() => app.close());

  it("Views get the name of the account type, the state of the sign-in, its features and the addresses of its pages", async () => {
    const login = await app.client().page("/users/reset-password-request");
    assert.match(login, "<p>user out</p>");
    assert.is(linksOf(login).create_account, "/users/create-account");
    const signedIn = await signIn(app, "user", "ann@example.test");
    const page = await signedIn.page("/user");
    assert.match(page, "<p>user in</p>");
    assert.match(page, "has otp");
    assert.match(page, "<b>reset_password</b>");
    const links = linksOf(page);
    for (const [name, url] of Object.entries({
      login: "/users/login",
      logout: "/users/logout",
      create_account: "/users/create-account",
      account: "/users/account",
      change_password: "/users/change-password",
      change_login: "/users/change-login",
      reset_password_request: "/users/reset-password-request",
      close_account: "/users/close-account",
      otp_setup: "/users/otp-setup",
      sessions: "/users/sessions",
    }))
      assert.is(links[name], url, name);
    for (const url of Object.values(links) as string[]) assert.ok((await signedIn.request(url)).status < 400, url);
  });
  it("Views get no features and addresses that the account type does not have", async () => {
    const page = await (await signIn(app, "clerk", "cleo@example.test")).page("/clerk");
    assert.match(page, "<p>clerk in</p>");
    assert.not.match(page, "has otp");
    assert.is(linksOf(page).logout, undefined);
    assert.is(linksOf(page).login, "/clerks/login");
  });
  it("Views get neither data of the account nor secrets from authlib", async () => {
    const page = await (await signIn(app, "user", "ann@example.test")).page("/user");
    const facts = JSON.parse(/<script[^>]*id="facts"[^>]*>(.*?)<\/script>/s.exec(page)![1]!);
    assert.equal(Object.keys(facts).sort(), ["features", "signed_in", "type", "urls"]);
    assert.ok(Object.values(facts.features).every((value) => value === true));
    assert.ok(Object.values(facts.urls).every((value) => /^\/users\/[a-z-]+$/.test(String(value))));
  });
});

describe("A wizard that an account has to finish first", (it) => {
  it("A wizard that has to be finished first links to the page to sign out, where its layout has no menu", async () => {
    const app = await openAccounts(
      { user: { features: everyday } },
      {
        files: {
          "app/wizards/welcome_wizard.ts": `import { steps, Wizard } from "framewright/plugins/wizards"; import { succeed } from "framewright/plugins/resources";
            const flow = steps().step("you", {}, (f) => f.string("name"));
            export default class WelcomeWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser, oneTime: true }) { async execute() { return succeed(); } }`,
          "packages/user_portal/config/routes.ts": `import { UserPortal } from "../lib/engine.ts"; import WelcomeWizard from "#app/wizards/welcome_wizard.ts";
            export default UserPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerWizard(WelcomeWizard, { at: "welcome", layout: "basic" }); });`,
          "packages/user_portal/app/controllers/user_portal/home_controller.ts": `import { BaseController, concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { WizardGate } from "framewright/plugins/wizards"; import WelcomeWizard from "#app/wizards/welcome_wizard.ts";
            export default class HomeController extends concern(BaseController, PortalController, Authlib("user" as never), WizardGate) {
              static override beforeActions = ["welcomed"]; welcomed() { return this.ensureWizardCompleted(WelcomeWizard); } index() { return this.json({}); } }`,
          "packages/user_portal/app/controllers/user_portal/wizards_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { WizardBaseController } from "framewright/plugins/wizards";
            export default class WizardsController extends concern(WizardBaseController, PortalController, Authlib("user" as never)) {}`,
          "db/migrate/20260101000001_create_framewright_wizards.ts": tables,
        },
      },
    );
    await addPeople(app, "user", "ann@example.test");
    const client = await signIn(app, "user", "ann@example.test");
    const gate = await client.request("/user");
    await client.request(gate.headers.get("location")!);
    const cancelled = await client.submit("/user/welcome/you", { _direction: "cancel" }, /\/you"/);
    assert.is(cancelled.headers.get("location"), "/user/welcome/runs");
    const page = await client.page("/user/welcome/runs");
    assert.match(page, "Finish “Welcome” first.");
    assert.match(page, '<a href="/users/logout" data-turbo-frame="_top">Sign out</a>');
    assert.is((await client.request("/users/logout")).status, 200);
    await app.close();
  });
});
