import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw, typeCheck } from "./support.ts";

describe("fw generate fw:authlib:sso", (it) => {
  it("Adds the sign-in by companies to a product, which compiles and starts; other providers are added as before", async () => {
    await ensureBuilt();
    const root = await newApp();
    const g = (...words: string[]) => fwOk(root, "g", ...words);
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    const early = await runFw(root, "g", "fw:authlib:sso", "customer");
    assert.is(early.code, 2);
    assert.match(early.err, "fw generate fw:authlib:account customer");
    await g("fw:saas:setup", "--user=Customer", "--entity=Organization", "--roles=admin,member");
    const { out } = await g("fw:authlib:sso", "customer");
    assert.match(out, "/customers/sso");
    const account = read("app/authlib/customer_authlib_plugin.ts");
    assert.match(account, "oidcLogin({ providers: {} })");
    assert.match(account, "tenantSso()");
    for (const line of ["oidc(),", "sso(),"]) assert.is(read("plugins.config.ts").split(line).length, 2, line);
    await g("fw:authlib:sso", "customer");
    assert.is(read("app/authlib/customer_authlib_plugin.ts"), account, "a second time changes nothing");
    await g("fw:authlib:oidc", "customer", "--provider=google");
    assert.match(read("app/authlib/customer_authlib_plugin.ts"), /providers: \{ google: google\(\),?\s*\}/);
    await fwOk(root, "db:migrate");
    const checked = await typeCheck(root);
    assert.is(checked.code, 0, checked.out);
    const routes = (await fwOk(root, "routes")).out;
    for (const path of [
      "/customers/sso",
      "/_sso/domains/:domain_id/verify",
      "/customers/oidc/:provider/frontchannel-logout",
    ])
      assert.match(routes, path);

    const edit = (path: string, change: (text: string) => string) =>
      writeFileSync(join(root, path), change(read(path)));
    edit("plugins.config.ts", (text) => text.replace(/^ *sso\(\),\n/m, "").replace(/^import \{ sso \}.*\n/m, ""));
    const lacking = await runFw(root, "routes");
    assert.is(lacking.code === 0, false);
    assert.match(lacking.err, "Add sso() of framewright/plugins/sso to plugins.config.ts");
    edit("app/authlib/customer_authlib_plugin.ts", (text) =>
      text.replace(/\btenantSso\(\),?/, "").replace(/^import \{ tenantSso \}.*\n/m, ""),
    );
    const without = (await fwOk(root, "routes")).out;
    assert.not.match(without, /\b_?sso\b/);
    assert.match(without, "/customers/oidc/:provider");
  });
});
