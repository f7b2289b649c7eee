import { openApp, type TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, openAccounts, PASSWORD } from "./accounts.ts";

const OLD = "old-secret-".repeat(6);
const NEW = "new-secret-".repeat(6);
const values = { APP_URL: "https://shop.example", TRUST_PROXY: "1" };
const SESSION = "__Host-fw_session";
const DEVICE = "__Host-fw_user_remember";

/** A visitor of a proxy that speaks https. */
class Visitor extends Client {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-proto", "https");
    headers.set("x-forwarded-for", "203.0.113.9");
    return super.request(path, { ...init, headers });
  }
}

describe("A new SECRET_KEY_BASE behind a proxy that speaks https", (it) => {
  it("Sessions, devices and open forms of before are accepted beside it, and what was signed in since by it alone", async () => {
    let app: TestApp = await openAccounts(
      { user: { features: "login(), logout(), remember(), changePassword()" } },
      { values: { ...values, SECRET_KEY_BASE: OLD } },
    );
    const reopen = async (secrets: Record<string, string>) => {
      await app.close();
      app = await openApp(app.root, { values: { ...values, ...secrets } });
    };
    const on = (known: Client) => {
      const visitor = new Visitor(app.url);
      for (const name of [SESSION, DEVICE])
        if (known.cookie(name) !== undefined) visitor.keep(`${name}=${known.cookie(name)}`);
      return visitor;
    };
    const opens = async (client: Client) => (await client.request("/user")).status;
    const enter = async (): Promise<Client> => {
      const client = new Visitor(app.url);
      const typed = { login: "ann@example.test", password: PASSWORD, remember: "1" };
      const answer = await client.submit("/users/login", typed);
      assert.is(answer.status, 303);
      for (const name of [SESSION, DEVICE])
        assert.ok(
          answer.headers.getSetCookie().some((line) => line.startsWith(`${name}=`) && /; Secure/.test(line)),
          name,
        );
      return client;
    };
    try {
      await addPeople(app, "user", "ann@example.test");
      const before = await enter();
      assert.is(await opens(before), 200);
      const form = await before.page("/users/change-password");
      const token = /action="\/users\/change-password"[\s\S]*?name="authenticity_token" value="([^"]+)"/.exec(
        form,
      )?.[1];
      assert.ok(token, form);

      await reopen({ SECRET_KEY_BASE: NEW, SECRET_KEY_BASE_PREVIOUS: OLD });
      assert.is(await opens(on(before)), 200);
      const onlyDevice = on(before);
      onlyDevice.forget(SESSION);
      assert.is(await opens(onlyDevice), 200);
      const sent = await on(before).request("/users/change-password", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ authenticity_token: token!, password: "x" }),
      });
      assert.is(sent.status, 422); // the form of before is read: its password is what is wrong
      const since = await enter();

      await reopen({ SECRET_KEY_BASE: NEW });
      assert.is(await opens(on(since)), 200);
      const withoutDevice = on(before);
      withoutDevice.forget(DEVICE);
      assert.is(await opens(withoutDevice), 303);
    } finally {
      await app.close();
    }
  });
});
