import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { addPeople, openAccounts, PASSWORD } from "../authlib/accounts.ts";
import { as, openWizards, wizardFiles } from "../wizards/mounts_support.ts";
import { development, pageOf } from "./support.ts";

const own = { imports: `import { inspector } from "framewright/plugins/inspector";`, list: "inspector()" };
/** The whole pages of all requests that are kept, and the list. */
async function everything(app: TestApp): Promise<string> {
  const list = await (await app.request("/_fw")).text();
  const paths = [...list.matchAll(/href="(\/_fw\/requests\/\d+)"/g)].map(([, path]) => path!);
  const pages = await Promise.all(paths.map(async (path) => (await app.request(path)).text()));
  return [list, ...pages].join("\n");
}

describe("/_fw of people who sign in", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const types = { user: { features: "login(), logout(), changePassword()" } };
    app = await openAccounts(types, { values: development, plugins: own, authlib: "{ limits: false }" });
    await addPeople(app, "user", "ann@example.test");
  });
  after(() => app.close());

  it("A password, its hash, the session and the address of a person who signs in are nowhere", async () => {
    const client = app.client();
    const wrong = await client.submit("/users/login", { login: "ann@example.test", password: "wrong-horse-9" });
    assert.match(await pageOf(app, wrong), /POST \/users\/login 4\d\d/);
    const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
    assert.is(answer.status, 303);
    const home = await client.request("/user");
    assert.is(home.status, 200);
    assert.match(await pageOf(app, home), "Person user 1");
    await client.submit("/users/change-password", {
      password: PASSWORD,
      "new-password": "another horse battery",
      "password-confirm": "another horse battery",
    });
    const { knex } = databaseOf(app.application);
    const rows = (await knex.select("*").from("user_password_hashes")) as { password_hash: string }[];
    const cookies = ["app_session", "_test_app_session"].flatMap((name) => client.cookie(name) ?? []);
    const hidden = [PASSWORD, "another horse", "wrong-horse-9", "ann@example", ...rows.map((row) => row.password_hash)];
    const shown = await everything(app);
    assert.match(shown, "user_password_hashes");
    for (const text of [...hidden, ...cookies, "argon2"]) assert.not.match(shown, text);
  });
});

describe("/_fw of a wizard", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const config = edited(
      wizardFiles,
      "plugins.config.ts",
      [`import { layout }`, `${own.imports}\nimport { layout }`],
      ["portals(),", `${own.list}, portals(),`],
    );
    app = await openWizards({ "plugins.config.ts": config }, development);
  });
  after(() => app.close());

  it("A step is shown with its controller, statements and templates, and what was typed is not", async () => {
    const client = as(app.client(), 1);
    await client.request("/admin/onboarding");
    const answer = await client.submit("/admin/onboarding/first", { "wizard[title]": "My very own title" }, /first/);
    assert.is(answer.status, 303);
    const page = await pageOf(app, answer);
    assert.match(page, /POST \/admin\/onboarding[\w/]* 303/);
    assert.match(page, "framewright_wizard_runs");
    assert.match(page, "Portal AdminPortal");
    assert.not.match(await everything(app), "My very own title");
    const step = await pageOf(app, await client.request("/admin/onboarding/second"));
    assert.match(step, /framewright\/plugins\/wizards\/views\/.*\.liquid/);
  });
});
