import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { deskFiles } from "../scoping/portals_app.ts";
import { openTenants, signedIn } from "../scoping/tenants.ts";
import { accountMigration, PASSWORD, signIn } from "./accounts.ts";
import { setUpCodes } from "./promises/support.ts";

const browserless = await requireOrSkip("browser");

const features = "login(), logout(), changePassword(), activeSessions(), otp(), recoveryCodes()";
const names = features.replaceAll("()", "");
const basic = join(import.meta.dirname, "../../../plugins/layout/views/layouts/basic.liquid");
/** The tenants with more features of accounts, and the layout that the generator of accounts writes. */
const files = {
  "app/views/layouts/authlib.liquid": readFileSync(basic, "utf8"),
  ...deskFiles,
  "db/migrate/20260102000000_add_accounts.ts": accountMigration(
    `await db.addColumns("users", (t) => { t.string("email").unique(); t.string("role"); t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); });`,
    { account: "user", table: "users", features },
    { account: "partner", table: "users", features: "login()" },
  ),
  "app/authlib/user_authlib_plugin.ts": `import { AuthlibBase, features, ${names} } from "framewright/plugins/authlib";
    export default class UserAuthlibPlugin extends features(AuthlibBase, [${features}]) {}`,
};

describe("Account pages within a portal", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(files);
    await signedIn(app);
  });
  after(() => app.close());
  const enter = (name: string) => signIn(app, "user", `${name}@example.test`);
  const isIn = (html: string, label: string) =>
    html.includes('<body class="fw-shell"') && html.includes(`<span class="fw-brand-place">${label}</span>`);
  const isBare = (html: string) => html.includes('<body class="fw-basic"') && !html.includes("fw-nav-link");

  it("The menu of a portal leads to the account in its shell: navigation, the tenant, breadcrumbs and a way back", async () => {
    const ann = await enter("ann");
    const menu = await ann.page("/customer/1/posts");
    assert.match(menu, 'href="/users/account?from=%2Fcustomer%2F1"');
    const html = await ann.page("/users/account?from=%2Fcustomer%2F1");
    assert.ok(isIn(html, "Alpine"));
    assert.match(html, '<a class="fw-nav-link" href="/customer/1/posts">');
    assert.not.match(html, /fw-nav-link"[^>]*aria-current/);
    assert.match(html, /<a href="\/customer\/1">Customer<\/a>[\s\S]*aria-current="page">Account</);
    assert.match(html, '<a class="btn btn-primary" href="/customer/1">');
  });
  it("The pages after it stay in that shell, errors of forms too, and none is kept by a cache", async () => {
    const ann = await enter("ann");
    await ann.page("/users/account?from=%2Fcustomer%2F1");
    for (const path of ["/users/change-password", "/users/sessions", "/users/otp-setup"]) {
      const answer = await ann.request(path);
      const html = await answer.text();
      assert.ok(isIn(html, "Alpine"), path);
      assert.match(html, '<a href="/users/account">Account</a>');
      assert.is(answer.headers.get("cache-control"), "no-store", path);
    }
    const refused = await ann.submit("/users/change-password", {
      password: "wrong",
      new_password: "x",
      password_confirmation: "y",
    });
    assert.is(refused.status, 422);
    assert.ok(isIn(await refused.text(), "Alpine"));
  });
  it("Another portal is another shell, for each browser by itself", async () => {
    const [cat, ann] = [await enter("cat"), await enter("ann")];
    assert.ok(isIn(await cat.page("/users/account?from=%2Fstaff"), "Staff"));
    assert.ok(isIn(await cat.page("/users/account?from=%2Fcustomer%2F2"), "Baltic"));
    assert.ok(isIn(await cat.page("/users/sessions"), "Baltic"));
    assert.ok(isBare(await ann.page("/users/account")), "there are several portals, and none was named");
  });
  it("What is no portal of the account is ignored: foreign tenants, other sites, other accounts, pages, nonsense", async () => {
    const ann = await enter("ann");
    const wrong = [
      "/customer/2",
      "/customer",
      "/customer/999",
      "//evil.test",
      "https://evil.test/customer/1",
      "/partner",
      "/open",
    ];
    for (const from of [
      ...wrong,
      "/customer/1/posts",
      "/customer/1?x",
      "/users",
      "/rootless",
      "/shut/1",
      "x".repeat(300),
      "/customer/%00",
    ]) {
      const answer = await ann.request(`/users/account?from=${encodeURIComponent(from)}`);
      assert.is(answer.status, 200, from);
      const html = await answer.text();
      assert.ok(isBare(html), from);
      assert.not.match(html, "Baltic");
    }
    const several = await ann.request("/users/account?from[]=%2Fcustomer%2F1&from[]=x");
    assert.ok(isBare(await several.text()));
  });
  it("Somebody who left the tenant has the page without its shell, at once", async () => {
    const { knex } = databaseOf(app.application);
    const cat = await enter("cat");
    assert.ok(isIn(await cat.page("/users/account?from=%2Fcustomer%2F2"), "Baltic"));
    await knex("memberships").where({ user_id: 3, organization_id: 2 }).delete();
    try {
      const html = await cat.page("/users/sessions");
      assert.ok(isBare(html));
      assert.not.match(html, "Baltic");
    } finally {
      await knex("memberships").insert({ user_id: 3, organization_id: 2 });
    }
  });
  it("Guests and sign-ins that lack a factor see no shell, and no page of the account", async () => {
    const guest = await app.client().request("/users/account?from=%2Fcustomer%2F1");
    assert.is(guest.status, 303);
    const bob = await enter("bob");
    await setUpCodes(bob);
    const half = app.client();
    await half.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
    const asked = await half.request("/users/account?from=%2Fcustomer%2F2");
    assert.is(asked.status, 303);
    const page = await half.page("/users/otp-auth");
    assert.not.match(page, "fw-nav-link");
    assert.not.match(page, "Baltic");
  });
  it("Signing out stands alone, and JSON is as it was", async () => {
    const ann = await enter("ann");
    await ann.page("/users/account?from=%2Fcustomer%2F1");
    assert.ok(isBare(await ann.page("/users/logout")));
    const { body } = await ann.json("/users/account");
    assert.equal(Object.keys(body), ["page", "csrf_token", "sections"]);
  });

  it.unless(browserless, "Signing in and out ask for each page once, and what they say is seen", async () => {
    const browser = await openBrowser();
    try {
      const { page, problems } = await visit(browser, app.url);
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (!pathname.startsWith("/assets/")) asked.push(`${request.method()} ${pathname}`);
      });
      await page.goto("/customer/1/posts");
      await page.getByLabel("Login").or(page.getByLabel("Email")).fill("ann@example.test");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.locator("[data-palette]:visible").first().waitFor();
      await page.waitForLoadState("networkidle");
      const list = "GET /customer/1/posts";
      assert.equal(asked, [list, "GET /users/login", "POST /users/login", list]);
      await page.locator(".fw-user").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.locator(".fw-flash:visible").waitFor();
      assert.equal(problems, []);
    } finally {
      await browser.close();
    }
  });

  for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
    it.unless(
      browserless,
      `The menu leads there and the pages after it stay there, also where the browser fetches ahead, on a ${width} page`,
      async () => {
        const browser = await openBrowser();
        const value = (await enter("ann")).cookie("fw_session")!;
        try {
          const { context, page, problems } = await visit(browser, app.url, { width });
          await context.addCookies([{ name: "fw_session", value, url: app.url }]);
          await page.goto("/customer/1/posts");
          await page.locator(".fw-user").click();
          const link = page.getByRole("link", { name: "Account", exact: true });
          await link.hover();
          await page.waitForTimeout(300); // longer than Turbo waits before it fetches ahead
          await link.click();
          await page.waitForURL(/users\/account/);
          await page.goto("/users/sessions");
          await page.locator(".fw-brand-place:visible", { hasText: "Alpine" }).waitFor();
          await page.locator("main a, .fw-breadcrumbs:visible a").filter({ hasText: "Customer" }).first().click();
          await page.waitForURL(/customer\/1$/);
          assert.equal(problems, []);
          await context.close();
        } finally {
          await browser.close();
        }
      },
    );
    it.unless(browserless, `They are accessible and fit on a ${width} page, and work without JavaScript`, async () => {
      const browser = await openBrowser();
      const value = (await enter("ann")).cookie("fw_session")!;
      try {
        for (const script of [true, false]) {
          const { context, page, problems } = await visit(browser, app.url, { script, width });
          await context.addCookies([{ name: "fw_session", value, url: app.url }]);
          await page.goto("/users/account?from=%2Fcustomer%2F1");
          const name = `account-${width}`;
          await assertFitInThemes(page, script ? name : `${name}-no-script`, script);
          await page.goto("/users/change-password");
          if (script) await assertFitInThemes(page, `${name}-password`);
          assert.equal(problems, []);
          await context.close();
        }
      } finally {
        await browser.close();
      }
    });
  }
});
