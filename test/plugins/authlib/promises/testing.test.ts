import { addFiles } from "../../../support/apps.ts";
import { assert, describe, throwsCode } from "../../../support/index.ts";
import { openTestApplication, type TestApplication } from "../../../testing/index.ts";
import { openAccounts } from "../accounts.ts";
import { quick, triedWhile } from "./support.ts";

describe("Test helpers for signed-in users", (it, { before, after }) => {
  let app: TestApplication;
  before(async () => {
    const written = await openAccounts(
      {
        user: { features: "login(), logout(), otp({ required: true }), activeSessions()" },
        admin: { features: "login(), logout()" },
      },
      { plugins: quick },
    );
    await written.close();
    addFiles(written.root, { ".env.test": `SECRET_KEY_BASE=${"testing-secret-".repeat(4)}` });
    app = await openTestApplication({ root: written.root, database: "sqlite::memory:" });
    const auth = app.application.kernel.service("auth");
    for (const type of ["user", "admin"]) await auth.createAccount(type, { email: "ann@example.test" });
  });
  after(() => app.close());

  it("The test helper signIn gives a visitor who is signed in as any other, without checking a password", async () => {
    const tried = await triedWhile(async () => {
      const client = await app.signIn("user", " Ann@example.test");
      assert.match(await client.page("/user"), "Hello ann@example.test");
      assert.is((await client.submit("/user/form", { text: "typed" }, /user\/form/)).status, 200);
      const { data } = (await client.json("/users/sessions")).body as { data: object[] };
      assert.is(data.length, 1);
      assert.is((await client.submit("/users/logout", {})).status, 303);
      assert.is((await client.request("/user")).status, 303);
    });
    assert.is(tried, 0);
  });
  it("The test helper signIn takes the account of a record, and signs in to its account type only", async () => {
    const client = await app.signIn("admin", { id: 1 });
    assert.is((await client.request("/admin")).status, 200);
    assert.is((await client.request("/user")).status, 303);
    assert.is((await app.client().request("/admin")).status, 303);
  });
  it("The test helper signIn fails with FW_SIGN_IN for an account that is missing or closed", async () => {
    assert.match(
      (await throwsCode("FW_SIGN_IN", () => app.signIn("user", "bob@example.test"))).message,
      "bob@example.test",
    );
    assert.match((await throwsCode("FW_SIGN_IN", () => app.signIn("user", { id: 99 }))).message, "the user 99");
    await throwsCode("FW_ACCOUNT_TYPE_UNKNOWN", () => app.signIn("usr", "ann@example.test"));
    await app.application.kernel.service("database").knex("admins").update({ account_status: "closed" });
    await throwsCode("FW_SIGN_IN", () => app.signIn("admin", { id: 1 }));
  });
});
