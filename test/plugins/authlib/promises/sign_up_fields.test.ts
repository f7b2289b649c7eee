import { openApp, type TestApp } from "../../../support/apps.ts";
import { assert, describe, throwsCode } from "../../../support/index.ts";
import { databaseOf, openAccounts, PASSWORD } from "../accounts.ts";
import { post, quick, rowOf } from "./support.ts";

const model = (rest: string) => ({
  "app/models/user.ts": `import { Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override validations = { email: { presence: true, uniqueness: true }, name: { presence: true } } as never; ${rest} }`,
});

describe("A sign-up for a model that requires more than a login", (it, { after }) => {
  const left: TestApp[] = [];
  after.each(async () => {
    for (const app of left.splice(0)) await app.close();
  });
  const open = async (features: string, files = model(""), body = "") => {
    const app = await openAccounts(
      { user: { features, body } },
      { authlib: "{ limits: false }", plugins: quick, files },
    );
    left.push(app);
    return app;
  };

  it("A sign-up asks for the required attribute, as a page and in JSON", async () => {
    const app = await open('login(), createAccount({ fields: ["name", "role"] })');
    const client = app.client();
    const typed = { login: "ann@example.test", password: PASSWORD, password_confirmation: PASSWORD };
    assert.match(await client.page("/users/create-account"), /name="name"[^>]* required/);
    assert.not.match(await client.page("/users/create-account"), /name="role"[^>]* required/);
    const blank = await client.submit("/users/create-account", { ...typed, name: "  " });
    assert.is(blank.status, 422);
    assert.match(await blank.text(), /id="authlib_name_errors">must be filled in/);
    assert.is((await client.submit("/users/create-account", { ...typed, name: "Ann" })).status, 303);
    assert.is((await rowOf(app, "users", { email: "ann@example.test" })).name, "Ann");
    const other = { ...typed, login: "bob@example.test" };
    const refused = await post(app, "/users/create-account", other);
    assert.is(refused.status, 422);
    assert.equal(Object.keys(((await refused.json()) as { errors: object }).errors), ["name"]);
    assert.is(
      (await post(app, "/users/create-account", { ...other, name: "Bob", account_status: "closed" })).status,
      200,
    );
    const bob = await rowOf(app, "users", { email: "bob@example.test" });
    assert.equal([bob.name, bob.account_status, bob.role], ["Bob", "verified", null]);
    assert.is((await databaseOf(app.application).knex("users")).length, 2);
  });

  it("Boot fails with FW_SIGN_UP_FIELDS for a required attribute that the form does not ask for, and names the fix", async () => {
    const error = await throwsCode("FW_SIGN_UP_FIELDS", async () => {
      const app = await open("login(), createAccount()");
      const { root } = app;
      await left.pop()!.close();
      await openApp(root); // the first boot has no tables yet
    });
    assert.match(error.message, /User requires name/);
    assert.match(error.message, /createAccount\(\{ fields: \["name"\] \}\)/);
  });
  it("Boot fails with FW_SIGN_UP_FIELD for a field that is not a column, and for one that nobody can type", async () => {
    for (const field of ["nickname", "created_at"]) {
      await throwsCode("FW_SIGN_UP_FIELD", async () => {
        const { root } = await open(`login(), createAccount({ fields: ["name", "${field}"] })`);
        await left.pop()!.close();
        await openApp(root);
      });
    }
  });
  it("An application boots where the account type provides the required attribute", async () => {
    const app = await open(
      "login(), createAccount()",
      model(""),
      'override newAccountValues() { return { name: "New" }; }',
    );
    const { root } = app;
    await left.pop()!.close();
    left.push(await openApp(root));
  });
  it("An application boots where the model has a default for the required attribute", async () => {
    const app = await open("login(), createAccount()", model('static override defaults = { name: "New" };'));
    const { root } = app;
    await left.pop()!.close();
    left.push(await openApp(root));
  });
});
