import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "../plugins/authlib/accounts.ts";
import { codeOf, opens, post, quickWithTokens, setUpCodes, tokenImports } from "../plugins/authlib/promises/support.ts";
import type { TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

// The guide about one sign-in at a time, with the code that stands in it.

const guide = readFileSync(join(import.meta.dirname, "../../docs/how-to/single-session.md"), "utf8");
const [, text = ""] = /^ {3}```ts\n([\s\S]*?)^ {3}```$/m.exec(guide) ?? [];
const [, file = ""] = /\/\/ (lib\/\w+\.ts)/.exec(text) ?? [];
const imports = `${tokenImports} import { singleSession as single } from "../../lib/single_session.ts"; const own = [single()] as const;`;
const features = "login(), logout(), remember(), activeSessions(), otp(), jwt(), jwtRefresh(), ...own";

describe("One sign-in at a time", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAccounts(
      { user: { features, imports } },
      { authlib: "{ limits: false }", plugins: quickWithTokens, files: { [file]: text.replaceAll(/^ {3}/gm, "") } },
    );
  });
  after(() => app.close());
  const person = async (login: string) => {
    const [id] = await addPeople(app, "user", login);
    return { login, id: id! };
  };
  const signInByJson = async (login: string) =>
    (await (await post(app, "/users/login", { login, password: PASSWORD })).json()) as Record<string, string>;

  it("A sign-in ends the previous one, in another browser or with tokens, and forgets its device", async () => {
    const { login, id } = await person("ann@example.test");
    const first = await signIn(app, "user", login, { remember: "1" });
    assert.ok(await opens(first));
    const second = await signIn(app, "user", login, { remember: "1" });
    assert.not(await opens(first), "nor does it come back by its device's key");
    assert.ok(await opens(second));
    const { refresh_token } = await signInByJson(login);
    assert.not(await opens(second));
    assert.is((await post(app, "/users/jwt-refresh", { refresh_token })).status, 200);
    const { refresh_token: other } = await signInByJson(login);
    assert.is((await post(app, "/users/jwt-refresh", { refresh_token })).status, 401);
    assert.is((await post(app, "/users/jwt-refresh", { refresh_token: other })).status, 200);
    const left = databaseOf(app.application).knex("user_active_session_keys").where({ account_id: id });
    assert.is((await left).length, 1);
  });
  it("A sign-in ends the previous one only after the code of the second factor", async () => {
    const { login } = await person("bob@example.test");
    const owner = await signIn(app, "user", login);
    const secret = await setUpCodes(owner);
    const other = app.client();
    await other.submit("/users/login", { login, password: PASSWORD });
    assert.ok(await opens(owner));
    await other.submit("/users/otp-auth", { otp_code: codeOf(secret) });
    assert.not(await opens(owner));
    assert.ok(await opens(other));
  });
  it("A device that was remembered last signs in again by itself", async () => {
    const { login, id } = await person("cleo@example.test");
    await signIn(app, "user", login, { remember: "1" });
    const last = await signIn(app, "user", login, { remember: "1" });
    await databaseOf(app.application).knex("user_active_session_keys").where({ account_id: id }).delete();
    assert.ok(await opens(last));
  });
});
