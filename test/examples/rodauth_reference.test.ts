import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../plugins/authlib/feature_catalogue.ts";
import { assert, describe } from "../support/index.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/reference/rodauth.md"), "utf8");
const rows = [...page.matchAll(/^\| (?!Specification|---)(.+?) \| (\w+) \| (.*) \|$/gm)];
const here = [...page.matchAll(/^Here: (.*)$/gm)].map(([, line]) => line!);
/** Ours that Rodauth has nothing like. */
const own = new Set(["invitation", "security_mails", "api_keys", "oidc_login", "tenant_sso"]);

describe("The comparison with Rodauth", (it) => {
  it('More than 280 specifications of Rodauth have a status, with a reason unless the status is "has"', () => {
    assert.ok(rows.length > 280, String(rows.length));
    for (const [, name, status, note] of rows) {
      assert.ok(["has", "differs", "not"].includes(status!), name);
      if (status !== "has") assert.ok(note!.trim() !== "", `${name}: why?`);
    }
  });
  it("The comparison with Rodauth names every feature but our own additions, and no unknown one", () => {
    const named = new Set(here.flatMap((line) => [...line.matchAll(/`(\w+)\(\)`/g)].map(([, factory]) => factory!)));
    const factories = catalogue.map(({ factory }) => factory);
    for (const { name, factory } of catalogue) if (!own.has(name)) assert.ok(named.has(factory), factory);
    for (const factory of named) assert.ok(factories.includes(factory), factory);
  });
  it("The comparison with Rodauth names tests that exist", () => {
    for (const [, path] of page.matchAll(/`(test\/[\w/.]+)`/g)) assert.ok(existsSync(join(root, path!)), path);
    for (const line of here) if (!line.startsWith("none")) assert.match(line, "Tests: ");
  });
});
