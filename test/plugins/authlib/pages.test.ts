import { hostProblem } from "../../../plugins/authlib/features/webauthn/host.ts";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, everyday, openAccounts, PASSWORD, signIn } from "./accounts.ts";

describe("The host that passkeys are used at", (it) => {
  it("Passkeys need a host name of their relying party, with https unless it is localhost", () => {
    assert.is(hostProblem("localhost", "http:", "localhost"), undefined);
    assert.is(hostProblem("shop.example", "https:", "shop.example"), undefined);
    assert.is(hostProblem("eu.shop.example", "https:", "shop.example"), undefined);
    assert.is(hostProblem("127.0.0.1", "http:", "127.0.0.1"), "address");
    assert.is(hostProblem("[::1]", "http:", "[::1]"), "address");
    assert.is(hostProblem("shop.example", "http:", "shop.example"), "insecure");
    assert.is(hostProblem("notshop.example", "https:", "shop.example"), "elsewhere");
    assert.is(hostProblem("localhost", "https:", "shop.example"), "elsewhere");
  });
});

describe("Pages of accounts", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const user = { features: `${everyday}, webauthn()` };
    const values = { NODE_ENV: "development", APP_URL: "https://shop.example" };
    app = await openAccounts({ user, clerk: { features: "login()" } }, { authlib: "{ limits: false }", values });
    await addPeople(app, "user", "ann@example.test");
    await addPeople(app, "clerk", "cleo@example.test");
  });
  after(() => app.close());

  it("The page about a sent mail links to /_fw/mails in development", async () => {
    const client = app.client();
    await client.submit("/users/reset-password-request", { login: "ann@example.test" });
    assert.match(await client.page("/users/mailed?again=reset-password-request"), 'href="/_fw/mails"');
  });

  it("The page about a sent mail links back to pages of the account type only", async () => {
    assert.match(await app.client().page("/users/mailed?again=verify-account"), 'href="/users/verify-account"');
    for (const again of ["//evil.example", "sessions", "../admin", "login%22%3E"])
      assert.not.match(await app.client().page(`/users/mailed?again=${again}`), /evil|sessions|admin|login"&gt;/);
  });

  it("The login that was typed is kept for the next attempt, and forgotten after the sign-in", async () => {
    const client = app.client();
    await client.submit("/users/login", { login: "Ann@example.test", password: "wrong" });
    for (const page of ["login", "reset-password-request", "create-account", "verify-account", "unlock-account"])
      assert.match(await client.page(`/users/${page}`), 'value="ann@example.test"');
    await client.submit("/users/login", { password: PASSWORD });
    await client.submit("/users/logout", {});
    assert.not.match(await client.page("/users/login"), "ann@example.test");
    assert.not.match(await app.client().page("/users/login"), "ann@example.test");
  });

  it("The page of passkeys at an IP address links to the host name, and offers no passkey", async () => {
    const page = await app.client().page("/users/webauthn-auth");
    assert.match(page, "Passkeys need a host name");
    assert.match(page, /href="https:\/\/shop\.example\/users\/webauthn-auth"[^>]*>Open this page at shop\.example</);
    assert.not.match(page, "data-webauthn=");
  });

  it("What a password must be is said once: as a hint, or as what is wrong", async () => {
    const changing = await signIn(app, "user", "ann@example.test");
    assert.match(await changing.page("/users/change-password"), 'id="authlib_new_password_hint">At least 8 characters');
    const wrong = { password: PASSWORD, new_password: "short", password_confirmation: "short" };
    const changed = await (await changing.submit("/users/change-password", wrong)).text();
    assert.match(changed, /id="authlib_new_password_errors">[^<]*must have at least 8 characters/i);
    assert.not.match(changed, /_hint"/);
  });

  it("The pages of an account type offer no feature that it does not have", async () => {
    const login = await app.client().page("/clerks/login");
    assert.not.match(login, /fw-authlib-or|fw-authlib-links|name="remember"/);
    const client = await signIn(app, "clerk", "cleo@example.test");
    assert.not.match(await client.page("/clerks/account"), "logout");
  });
});
