import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { cleanEnv, runPiped } from "./production.ts";
import { ensureBuilt, fwOk, newApp, runFw } from "./support.ts";

const ANN = "ann@example.com";

describe("fw explain", (it) => {
  it("Says what an error's code means, where a page leads for somebody, and which file refused it", async () => {
    await ensureBuilt();
    const root = await newApp();
    const g = (...words: string[]) => fwOk(root, "g", ...words);
    await g("fw:authlib:account", "user");
    await g("fw:res:scaffold", "Post", "title:string");
    await fwOk(root, "db:migrate");
    await g("fw:pkg:portal", "admin", "--auth=user");
    await g("fw:res:conn", "Post", "--dest=admin_portal");
    const { out: code } = await fwOk(root, "explain", "FW_FIELD_TYPE_UNKNOWN");
    assert.match(code, "has the unknown type");
    assert.match((await runFw(root, "explain", "FW_FIELD_TYPE_UNKNOW")).err, 'Did you mean "FW_FIELD_TYPE_UNKNOWN"?');
    const guest = await fwOk(root, "explain", "/admin/posts");
    assert.match(guest.out, /answered 303, to \/users\/login/);
    const made = await runPiped(
      root,
      cleanEnv(),
      ["authlib:admin:create", ANN, "--account=user", "--password-stdin"],
      "correct horse battery 1",
    );
    assert.is(made.code, 0, made.err);
    const page = await fwOk(root, "explain", "/admin/posts", `--as=user:${ANN}`);
    assert.match(page.out, "answered 200");
    assert.match(page.out, "PostsController#index");
    assert.match(page.out, "canRead() of PostPolicy answered true");
    const policy = join(root, "app/policies/post_policy.ts");
    const text = readFileSync(policy, "utf8");
    writeFileSync(policy, text.replace(/canRead\(\)[^{]*\{[^}]*\}/, "canRead(): boolean { return false; }"));
    const refused = await fwOk(root, "explain", "GET", "/admin/posts", `--as=user:${ANN}`);
    assert.match(refused.out, "answered 403");
    assert.match(refused.out, "answered false. See app/policies/post_policy.ts");
    const absent = await fwOk(root, "explain", "/admin/nowhere", `--as=user:${ANN}`);
    assert.match(absent.out, /^error +FW_NOT_FOUND: there is nothing here\.$/m);
    const unknown = await runFw(root, "explain", "/admin/posts", "--as=user:nobody@example.com");
    assert.is(unknown.code, 1);
    assert.match(unknown.err, "FW_SIGN_IN");
    for (const wrong of [["--as=ann"], ["--as=robot:ann@example.com"]])
      assert.is((await runFw(root, "explain", "/admin/posts", ...wrong)).code === 0, false);
    assert.match((await runFw(root, "explain", "POST", "/admin/posts")).err, "FW_EXPLAIN_WHAT");
  });
});
