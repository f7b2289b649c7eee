import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw, typeCheck } from "./support.ts";

describe("fw generate fw:authlib:oidc", (it) => {
  it("Adds the feature with its provider, then more providers, and the application compiles and starts", async () => {
    await ensureBuilt();
    const root = await newApp();
    const g = (...words: string[]) => fwOk(root, "g", ...words);
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    const account = "app/authlib/user_authlib_plugin.ts";
    const early = await runFw(root, "g", "fw:authlib:oidc", "user");
    assert.is(early.code, 2);
    assert.match(early.err, "fw generate fw:authlib:account user");
    await g("fw:authlib:account", "user");
    const { out } = await g("fw:authlib:oidc", "user", "--provider=google");
    assert.match(out, "/users/oidc/google/callback");
    assert.match(out, "OIDC_GOOGLE_CLIENT_SECRET");
    assert.match(read(account), "oidcLogin({ providers: { google: google() } })");
    assert.match(read("plugins.config.ts"), "oidc(),");
    const unnamed = await runFw(root, "g", "fw:authlib:oidc", "user", "--provider=company");
    assert.match(unnamed.err, '"--provider=company" needs "--issuer"');
    await g("fw:authlib:oidc", "user", "--provider=company", "--issuer=https://id.company.example");
    await g("fw:authlib:oidc", "user", "--provider=microsoft");
    await g("fw:authlib:oidc", "user", "--provider=microsoft");
    const text = read(account);
    for (const one of [
      "google: google()",
      'company: provider({ issuer: "https://id.company.example", label: "Company" })',
      "microsoft: microsoft()",
    ])
      assert.is(text.split(one).length, 2, one);
    const { out: examined } = await runFw(root, "doctor");
    assert.match(examined, /account type user: tables or columns are missing; run npx fw db:migrate/);
    assert.not.match(examined, "fw:authlib:upgrade");
    await fwOk(root, "db:migrate");
    const checked = await typeCheck(root);
    assert.is(checked.code, 0, checked.out);
    assert.match((await fwOk(root, "routes")).out, "/users/oidc/:provider/callback");
  });
});
