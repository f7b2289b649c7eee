import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { PASSWORD } from "../authlib/accounts.ts";
import { openProvider } from "../oidc/real_provider.ts";
import { SsoApp } from "./sso_app.ts";

const reason = await reasonToSkip("browser");

describe("A company's own provider, in a browser", (it) => {
  it.unless(
    reason,
    "An owner sets domain and provider up; somebody new signs in from the login page, is a member, and signs out",
    async () => {
      let one: SsoApp | undefined;
      const provider = await openProvider(() => [`${one!.app.url}/users/oidc/tenant-1/callback`]);
      const browser = await openBrowser();
      try {
        one = await SsoApp.open();
        const { url } = one.app;
        const owner = await visit(browser, url);
        await owner.page.goto(`${url}/user/1/_sso`);
        await owner.page.fill("input[name=login]", "ann@acme.test");
        await owner.page.fill("input[name=password]", PASSWORD);
        await owner.page.click("form[action='/users/login'] .btn-primary");
        await owner.page.waitForURL(`${url}/user/1/_sso`);
        await owner.page.fill("#sso-domain", "acme.test");
        await owner.page.click("form[action$='/_sso/domains'] button");
        await owner.page.waitForSelector("text=Not verified");
        one.publish(await one.knex("user_sso_domains").first());
        await owner.page.click("button:has-text('Verify')");
        await owner.page.waitForSelector("text=acme.test is verified");
        await owner.page.click("text=Add provider");
        await owner.page.fill("#sso-issuer", provider.issuer);
        await owner.page.fill("#sso-client-id", "shop");
        await owner.page.fill("#sso-secret", "secret-of-the-shop-at-the-provider");
        await owner.page.click("button:has-text('Save')");
        await owner.page.waitForSelector("text=The provider is saved");
        assert.match(await owner.page.locator("main").innerText(), provider.issuer);

        const { page, problems } = await visit(browser, url);
        await page.goto(`${url}/user/1/members`);
        await page.click("text=Sign in with your company");
        await page.fill("input[name=login]", "dora@acme.test");
        await page.click("form[action='/users/sso'] button");
        await page.waitForURL(/\/interaction\//);
        await page.fill("input[name=login]", "Dora");
        await page.fill("input[name=password]", "any");
        await page.click("button[type=submit]");
        await page.waitForURL(/\/interaction\//);
        await page.click("button[type=submit]"); // agrees that the application gets the address
        await page.waitForURL(`${url}/user/1/members`);
        assert.match(await page.locator("main").innerText(), "Dora");
        assert.is(await one.roleOf("dora@acme.test"), "member");
        await page.goto(`${url}/users/account`);
        assert.match(await page.locator("main").innerText(), "Acme");
        await page.click("form[action='/users/logout'] button:visible");
        await page.waitForURL(/login/);
        await page.goto(`${url}/user/1/members`);
        assert.match(page.url(), "/users/login");
        const ours = [...problems, ...owner.problems].filter((problem) => problem.startsWith(url));
        assert.equal(ours, []);
      } finally {
        await browser.close();
        await one?.close();
        await provider.close();
      }
    },
    90_000,
  );
});
