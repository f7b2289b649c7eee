import type { Finding } from "framewright/host";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openAccounts } from "./accounts.ts";

describe("Account types in fw doctor", (it) => {
  it("The checks of fw doctor list the features of an account type, its missing tables and the command that creates them", async () => {
    const app = await openAccounts({ user: { features: "login(), logout(), remember()" } });
    const examine = async () => {
      const findings: Finding[] = [];
      await app.application.hooks.examine.promise(findings);
      return findings.find(({ what }) => what === "account type user")!;
    };
    assert.equal(await examine(), {
      what: "account type user",
      ok: true,
      detail: "3 features, all tables exist",
    });
    await databaseOf(app.application).knex.schema.dropTable("user_remember_keys");
    const { ok, detail } = await examine();
    assert.is(ok, false);
    assert.match(detail, /needs the table user_remember_keys\. Run: npx fw generate fw:authlib:upgrade/);
    await app.close();
  });
});
