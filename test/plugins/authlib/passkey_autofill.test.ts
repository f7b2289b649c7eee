import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { addDevice } from "../../support/authenticator.ts";
import { openBrowser, type Visitor, visit } from "../../support/browser.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { addPeople, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { quick } from "./promises/support.ts";

const reason = await requireOrSkip("browser");

describe("Passkeys in the login field", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  let url: string;
  if (reason === undefined) {
    before(async () => {
      const types = {
        user: { features: "login(), logout(), webauthn()" },
        clerk: { features: "login({ phases: 2 }), logout(), webauthn()" },
        admin: { features: "login(), logout()" },
      };
      app = await openAccounts(types, { authlib: "{ limits: false }", plugins: quick });
      browser = await openBrowser();
      url = app.url.replace("127.0.0.1", "localhost"); // passkeys need a host name
      for (const type of ["user", "clerk"]) await addPeople(app, type, "ann@example.test");
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const can = (sentence: string, body: () => Promise<void>) => it.unless(reason, sentence, body);

  /** A visitor with a device that has a passkey of Ann's, signed out again. */
  const withPasskey = async (plural: string): Promise<Visitor> => {
    const visitor = await visit(browser, url);
    const { page } = visitor;
    await addDevice(visitor);
    await page.goto(`/${plural}/login`);
    await page.locator("[name=login]").fill("ann@example.test");
    if (plural === "clerks") await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("[name=password]").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/\/(user|clerk)$/);
    await page.goto(`/${plural}/webauthn-setup`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey is added.").waitFor();
    await page.goto(`/${plural}/logout`);
    await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
    return visitor;
  };

  for (const plural of ["users", "clerks"]) {
    can(`A passkey that is chosen at /${plural}/login signs in without a login or password typed`, async () => {
      const visitor = await withPasskey(plural);
      await visitor.page.waitForURL(/\/(user|clerk)$/); // the device chooses at once
      assert.equal(visitor.problems, []);
      await visitor.context.close();
    });
  }

  can(
    "Account types with passkeys offer them in the login field, which works without scripts, and others don't",
    async () => {
      const page = async (plural: string) => (await fetch(`${app.url}/${plural}/login`)).text();
      assert.match(await page("users"), 'autocomplete="username webauthn"');
      assert.match(await page("users"), "simplewebauthn");
      assert.match(await page("admins"), 'autocomplete="username"');
      assert.not.match(await page("admins"), "webauthn");
      const visitor = await visit(browser, url, { script: false });
      await visitor.page.goto("/users/login");
      await visitor.page.locator("[name=login]").fill("ann@example.test");
      await visitor.page.locator("[name=password]").fill(PASSWORD);
      await visitor.page.getByRole("button", { name: "Sign in", exact: true }).click();
      await visitor.page.waitForURL(/\/user$/);
      await visitor.context.close();
    },
  );

  can(
    "The challenge of the login field is valid once, and independent of the challenge of the passkey page",
    async () => {
      const client = app.client();
      const ask = async (path: string) => (await client.json(path)).body as { challenge: string };
      const { challenge } = await ask("/users/webauthn-auth");
      const other = await ask("/users/webauthn-auth?autofill=1");
      assert.is.not(challenge, other.challenge);
      const device = new Passkey(app.url);
      await addPasskey(await signIn(app, "user", "ann@example.test"), device);
      const { csrf_token } = (await client.json("/users/login")).body;
      const headers = { "x-csrf-token": String(csrf_token) };
      const send = (credential: string, fields: Record<string, string> = {}) =>
        client.copy().request("/users/webauthn-auth", {
          method: "POST",
          headers,
          body: new URLSearchParams({ credential, ...fields }),
        });
      assert.is((await send(device.assert(challenge))).status, 303);
      assert.is((await send(device.assert(other.challenge), { autofill: "1" })).status, 303);
      assert.is((await send(device.assert(other.challenge), { autofill: "1" })).status, 422);
      await ask("/users/webauthn-auth");
      const mixed = await ask("/users/webauthn-auth?autofill=1");
      assert.is((await send(device.assert(mixed.challenge))).status, 422, "it is no answer to the page's own");
    },
  );
});
