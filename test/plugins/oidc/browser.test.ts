import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { addPeople, everyday, PASSWORD } from "../authlib/accounts.ts";
import { credentials, openOidc } from "./oidc_app.ts";
import { openProvider } from "./real_provider.ts";

const reason = await reasonToSkip("browser");

describe("A real provider, in a browser", (it) => {
  it.unless(
    reason,
    "From sign-up to sign-out, by two account types in one browser, and by an account that was there before",
    async () => {
      let app: TestApp | undefined;
      const redirects = () => ["users", "partners"].map((people) => `${app!.url}/${people}/oidc/acme/callback`);
      const provider = await openProvider(redirects);
      const browser = await openBrowser();
      try {
        const acme = `acme: provider({ issuer: "${provider.issuer}", label: "Acme", verifiesEmail: true })`;
        const partner = {
          features: `${everyday}, oidcLogin({ providers: { ...theirs } })`,
          imports: `import { oidcLogin, provider } from "framewright/plugins/oidc"; const theirs = { ${acme} };`,
        };
        app = await openOidc(acme, { values: credentials("acme"), types: { partner } });
        await addPeople(app, "partner", "pat@example.com");
        const { page, problems } = await visit(browser, app.url);
        const heading = () => page.locator("h1").innerText();
        const atProvider = async (person: string) => {
          await page.waitForURL(/\/interaction\//);
          if (await page.locator("input[name=login]").count()) {
            await page.fill("input[name=login]", person);
            await page.fill("input[name=password]", "any");
            await page.click("button[type=submit]");
            await page.waitForURL(/\/interaction\//);
          }
          await page.click("button[type=submit]"); // agrees that the application gets the address
          await page.waitForURL((url) => url.origin === app!.url);
        };
        await page.goto(`${app.url}/user`);
        await page.click("text=Sign in with Acme");
        await atProvider("Dora");
        assert.is(await heading(), "Not connected yet");
        await page.click("text=Create an account");
        await page.waitForURL(`${app.url}/user`);
        assert.match(await heading(), "Hello dora@acme.test");
        await page.goto(`${app.url}/users/oidc-identities`);
        assert.match(await page.locator("main").innerText(), "dora@acme.test");

        await page.goto(`${app.url}/partners/login`);
        await page.click("text=Sign in with Acme");
        await page.waitForURL((url) => url.origin === app!.url || url.pathname.startsWith("/interaction/"));
        if (page.url().includes("/interaction/")) await atProvider("Dora");
        assert.is(await heading(), "Not connected yet");
        await page.click("text=I have an account");
        await page.fill("input[name=login]", "pat@example.com");
        await page.fill("input[name=password]", PASSWORD);
        await page.click("form[action='/partners/login'] .btn-primary");
        await page.waitForURL(/oidc-identity$/);
        assert.is(await heading(), "Connect Acme");
        await page.click("button:has-text('Connect') >> nth=0");
        await page.waitForURL(/oidc-identities$/);
        await page.goto(`${app.url}/partner`);
        assert.match(await heading(), "Hello pat@example.com");
        await page.goto(`${app.url}/user`);
        assert.match(await heading(), "Hello dora@acme.test", "both are signed in side by side");

        await page.goto(`${app.url}/users/account`);
        await page.click("form[action='/users/logout'] button:visible");
        await page.waitForURL(/login/);
        await page.click("text=Sign in with Acme");
        await page.waitForURL(`${app.url}/user`);
        assert.match(await heading(), "Hello dora@acme.test", "known there, and connected here: no page in between");
        const ours = problems.filter((problem) => problem.startsWith(app!.url)); // the pages of the provider fetch a font
        assert.equal(ours, []);
      } finally {
        await browser.close();
        await app?.close();
        await provider.close();
      }
    },
    60_000,
  );
});
