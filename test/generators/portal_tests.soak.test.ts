import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw, typeCheck } from "./support.ts";

const fields = ["title", "body:text?", "site:url", "amount:decimal", "due:date", "done:boolean", "price:money"];

describe("The tests that fw:res:conn writes", (it, { before }) => {
  let app: string;
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  const test = (name: string) => `test/portals/admin_portal/${name}.test.ts`;
  const connect = (name: string) => fwOk(app, "g", "fw:res:conn", name, "--dest=admin_portal");
  const closeCreation = (name: string) => {
    const path = `app/policies/${name}_policy.ts`;
    const closed = read(path).replace("return this.user !== undefined;", "return false;");
    assert.is.not(closed, read(path));
    writeFileSync(join(app, path), closed);
  };
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await fwOk(app, "g", "fw:authlib:account", "user");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--auth=user");
    await fwOk(app, "g", "fw:pkg:portal", "site", "--public");
    await fwOk(app, "g", "fw:res:scaffold", "Post", ...fields);
    await fwOk(app, "g", "fw:res:scaffold", "Comment", "body:text", "post:belongs_to");
    await fwOk(app, "g", "fw:res:scaffold", "Rule", "name");
    await fwOk(app, "db:migrate");
    await connect("Post");
    await connect("Comment");
    await fwOk(app, "g", "fw:res:conn", "Post", "--dest=site_portal");
  });

  it("A person who signs in creates a record and reads it, guests are refused, and all of them pass", async () => {
    assert.match(read(test("post")), 'await app.signIn("user", "ann@example.com")');
    assert.match(read(test("post")), '"post[site]": "https://example.com"');
    const { out } = await fwOk(app, "test");
    for (const name of ["is created by a form, and read again", "is refused to a guest, who is asked to sign in"])
      assert.match(out, `ok ${name.startsWith("is created") ? 1 : 3} - ${name}`);
    const { code, out: types } = await typeCheck(app);
    assert.is(code, 0, types);
  });
  it("A record that needs another one is not created, and a portal of guests has no test", () => {
    assert.not.match(read(test("comment")), "is created by a form");
    assert.match(read(test("comment")), "is refused to a guest");
    assert.not(existsSync(join(app, "test/portals/site_portal")));
  });
  it("A policy that was edited before has no test of its creation, and one that is edited later fails its test", async () => {
    closeCreation("rule");
    await connect("Rule");
    assert.not.match(read(test("rule")), "is created by a form");
    closeCreation("post");
    const { code, out } = await runFw(app, "test");
    assert.is(code, 1, out);
    assert.match(out, "not ok 1 - is created by a form, and read again");
  });
});
