import type { TestApp } from "../../../support/apps.ts";
import { assert, describe } from "../../../support/index.ts";
import { databaseOf } from "../../../support/shop.ts";
import { everyday, openAccounts, PASSWORD } from "../accounts.ts";
import { quickWithTokens } from "./support.ts";

/** A plugin that fails at whatever happens to an account, as an answer would: with a status. */
const broken = `definePlugin({ name: "broken", requires: ["auth"], apply({ hooks }) {
  hooks.auth.account.tapPromise("broken", async () => { throw Object.assign(new Error("broke"), { status: 422 }); });
} }),`;

describe("A failing listener of account events", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const { imports, list } = quickWithTokens;
    app = await openAccounts(
      { user: { features: everyday } },
      { authlib: "{ limits: false }", plugins: { imports, list: `${list} ${broken}` } },
    );
  });
  after(() => app.close());

  it("A listener that throws changes no answer, and its plugin is named in the log", async () => {
    const lines: string[] = [];
    app.application.log.error = ((_: object, message: string) => void lines.push(message)) as never;
    const answer = await app.client().submit("/users/create-account", {
      login: "new@x.test",
      password: PASSWORD,
      password_confirmation: PASSWORD,
    });
    assert.ok(answer.status < 400, String(answer.status));
    assert.is((await databaseOf(app.application).knex("users").where({ email: "new@x.test" })).length, 1);
    assert.ok(
      lines.some((line) => line.includes('the plugin "broken" failed at auth.account')),
      lines.join("\n"),
    );
  });
});
