import { openSealer } from "framewright/host";
import { assert, describe } from "../../support/index.ts";
import { SECRET, SsoApp } from "./sso_app.ts";

const OLD = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";
const NEW = "0f343b0931126a20f133d67c2b018a3b5d1a9c3f7e0d2b8c6a4f8e19b1946ac9";
const PURPOSE = "sso secret";

describe("What is stored of providers", (it, { before, after }) => {
  let one: SsoApp;
  before(async () => {
    one = await SsoApp.open({
      values: { SECRET_KEY_BASE: NEW, SECRET_KEY_BASE_PREVIOUS: OLD },
      imports: 'import { personalData } from "framewright/plugins/personal_data"; void personalData;',
      list: "personalData(),",
    });
    await one.setUp(await one.signIn("ann@acme.test"), "acme.test");
  });
  after(() => one?.close());
  const connection = () => one.knex("user_sso_connections").where({ tenant_id: 1 });

  it("A secret is encrypted for its tenant, and encrypted anew when the key of the application is", async () => {
    const open = (key: string, sealed: string, whose: string) => openSealer([key], PURPOSE).open(sealed, whose);
    const { secret } = await connection().first();
    assert.equal(
      [open(NEW, secret, "user 1"), open(NEW, secret, "user 2"), open(OLD, secret, "user 1")],
      [SECRET, undefined, undefined],
    );
    await connection().update({ secret: openSealer([OLD], PURPOSE).seal(SECRET, "user 1") });
    const counts = await one.app.application.kernel.service("auth").reseal();
    assert.is(counts.find(({ table }) => table === "user_sso_connections")?.moved, 1);
    assert.is(open(NEW, (await connection().first()).secret, "user 1"), SECRET);
  });

  it("A person's sign-ins by a provider are erased with them, and the tenant's domains and provider stay", async () => {
    const client = one.browser();
    assert.is(await one.arrive(client, { sub: "z-1", email: "zoe@acme.test" }), "/user");
    const { id } = await one.knex("users").where({ email: "zoe@acme.test" }).first();
    assert.is((await one.knex("user_sso_sessions").where({ account_id: id })).length, 1);
    await one.app.application.kernel.service("personal_data").erase("user", id);
    for (const table of ["user_sso_sessions", "user_oidc_identities"])
      assert.is((await one.knex(table).where({ account_id: id })).length, 0, table);
    assert.equal(
      [(await one.knex("user_sso_domains")).length, (await one.knex("user_sso_connections")).length],
      [1, 1],
    );
  });
});
