import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw } from "./support.ts";

/** An application with tokens for programs, and a portal of theirs with one resource. */
async function apiApp(): Promise<string> {
  await ensureBuilt();
  const root = await newApp();
  const g = (...words: string[]) => fwOk(root, "g", ...words);
  await g("fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh");
  await g("fw:pkg:portal", "api", "--auth=api_user");
  await g("fw:res:scaffold", "Post", "title:string", "fee:decimal");
  await fwOk(root, "db:migrate");
  await g("fw:res:conn", "Post", "--dest=api_portal");
  await g("fw:install", "openapi");
  return root;
}

describe("fw openapi", (it) => {
  it("Writes a portal's document, and says with --check which operations and schemas differ", async () => {
    const root = await apiApp();
    const file = join(root, "openapi/api_portal.json");
    const missing = await runFw(root, "openapi", "--check");
    assert.is(missing.code, 1);
    assert.match(missing.err, "FW_OPENAPI_MISSING");
    assert.match((await fwOk(root, "openapi", "--write")).out, "wrote openapi/api_portal.json");
    assert.match((await fwOk(root, "openapi", "--check")).out, "openapi/api_portal.json is up to date");
    const { out: printed } = await fwOk(root, "openapi", "--portal=api_portal");
    assert.is(printed.trim(), readFileSync(file, "utf8").trim());
    const document = JSON.parse(printed) as { paths: Record<string, object>; security: unknown };
    await SwaggerParser.validate(structuredClone(document) as never);
    for (const path of ["/api/posts.json", "/api/posts/{id}.json", "/api_users/login", "/api_users/jwt-refresh"])
      assert.ok(path in document.paths, path);
    assert.equal(document.security, [{ token: [] }]);
    const text = readFileSync(file, "utf8");
    const changed = text
      .replaceAll('"maxLength": 255', '"maxLength": 100')
      .replace("/api/posts/{id}.json", "/api/old/{id}.json");
    writeFileSync(file, changed);
    const check = await runFw(root, "openapi", "--check");
    assert.is(check.code, 1);
    for (const line of [
      "- GET /api/old/{id}.json",
      "+ GET /api/posts/{id}.json",
      "~ schemas PostCreate",
      "maxLength: 100 → 255",
    ])
      assert.match(check.out, line);
    assert.match(check.err, "Run: fw openapi --write");
    writeFileSync(file, "{");
    assert.match((await runFw(root, "openapi", "--check")).err, "FW_OPENAPI_FILE");
    const unknown = await runFw(root, "openapi", "--portal=apy_portal");
    assert.match(unknown.err, 'Did you mean "ApiPortal"?');
  });
});
