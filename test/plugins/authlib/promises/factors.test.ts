import type { TestApp } from "../../../support/apps.ts";
import { assert, describe } from "../../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD } from "../accounts.ts";
import { codeOf, opens, quick, setUpCodes } from "./support.ts";

describe("A required second factor", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const features = "login(), logout(), remember(), otp({ required: true }), recoveryCodes()";
    app = await openAccounts({ user: { features } }, { authlib: "{ limits: false }", plugins: quick });
    await addPeople(app, "user", "ann@example.test", "bob@example.test");
  });
  after(() => app.close());
  const half = async (login: string, fields: Record<string, string> = {}) => {
    const client = app.client();
    await client.submit("/users/login", { login, password: PASSWORD, ...fields });
    return client;
  };

  it("A required factor can't be turned off by a sign-in from before its owner set it up", async () => {
    const thief = await half("ann@example.test");
    const page = await thief.page("/users/otp-setup");
    const token = /action="\/users\/otp-setup".*?name="authenticity_token" value="([^"]+)"/s.exec(page)![1]!;
    await setUpCodes(await half("ann@example.test"));
    const keys = () => databaseOf(app.application).knex("user_otp_keys");
    const was = await keys();
    const body = new URLSearchParams({ authenticity_token: token, password: PASSWORD });
    const answer = await thief.request("/users/otp-setup", { method: "POST", body });
    assert.is(answer.headers.get("location"), "/users/login");
    assert.is((await thief.request("/users/otp-setup")).headers.get("location"), "/users/login");
    assert.equal(await keys(), was);
    assert.not(await opens(thief));
  });
  it("A sign-in without the required factor ends when it is set up elsewhere, and needs its code then", async () => {
    const early = await half("bob@example.test");
    const secret = await setUpCodes(await half("bob@example.test"));
    assert.is((await early.request("/users/otp-auth")).headers.get("location"), "/users/login");
    await early.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
    assert.is((await early.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status, 303);
    assert.ok(await opens(early));
  });
  it("A remembered device needs the required factor again, and gets no page before", async () => {
    const device = await half("ann@example.test", { remember: "1" });
    for (const path of ["/user", "/users/account", "/users/otp-setup", "/user/form"]) {
      assert.is((await device.request(path)).headers.get("location"), "/users/otp-auth", path);
    }
    device.forget("fw_session");
    assert.not(await opens(device));
    const codes = await device.page("/users/recovery-codes");
    assert.not.match(codes, /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/);
  });
});
