import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw, typeCheck } from "./support.ts";

/** What compiles of a client's use, and what does not. */
const usage = `import { ApiError, ApiClient, type Post } from "../clients/api_portal.ts";
const api = new ApiClient({ url: "https://shop.example", login: { login: "shop@partner.example", password: "…" }, onTokens: ({ refresh_token }) => void refresh_token });
export async function titles(): Promise<string[]> {
  const { data, etag } = await api.createPost({ title: "Hello", fee: "1.50" }, { strict: true });
  const post: Post = data;
  await api.updatePost(post.id, { title: "Bye" }, etag === undefined ? {} : { ifMatch: etag });
  // @ts-expect-error a title is a text
  await api.updatePost(post.id, { title: 5 });
  // @ts-expect-error a title is required
  await api.createPost({ fee: "1.50" });
  // @ts-expect-error there is no such column
  await api.listPosts({ sort: ["colour"] });
  const found: string[] = [];
  for await (const one of api.iteratePosts({ filter: { title: { contains: "e" } }, sort: ["-title"] })) found.push(one.title ?? "");
  try {
    const nothing: void = await api.deletePost(post.id);
    return nothing ?? found;
  } catch (error) {
    if (error instanceof ApiError) return [...error.on("title")];
    throw error;
  }
}
`;

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

describe("fw openapi and fw client", (it) => {
  it("Writes a portal's document, and says with --check which operations and schemas differ; its client compiles", async () => {
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

    assert.match((await fwOk(root, "client")).out, "wrote clients/api_portal.ts");
    writeFileSync(join(root, "test/client_usage.ts"), usage);
    const checked = await typeCheck(root);
    assert.is(checked.code, 0, checked.out);
    const written = join(root, "clients/api_portal.ts");
    const client = readFileSync(written, "utf8");
    assert.match(client, "Written by `fw client --portal=api_portal`");
    assert.match((await fwOk(root, "client", "--check")).out, "clients/api_portal.ts is up to date");
    writeFileSync(written, `${client}// more`);
    const differs = await runFw(root, "client", "--check");
    assert.is(differs.code, 1);
    assert.match(differs.err, "Run: fw client --portal=api_portal");
    await fwOk(root, "openapi", "--write");
    await fwOk(root, "client", "--from=openapi/api_portal.json", "--file=lib/api.ts");
    const command = "fw client --from=openapi/api_portal.json --file=lib/api.ts";
    assert.is(readFileSync(join(root, "lib/api.ts"), "utf8"), client.replace("fw client --portal=api_portal", command));
    const refused = async (...options: string[]) => (await runFw(root, "client", ...options)).err;
    assert.match(await refused("--from=package.json"), "FW_CLIENT_DOCUMENT");
    writeFileSync(join(root, "bad.json"), '{"openapi":"3.1.0","info":{"title":"x"},"paths":{"/a":{"get":5}}}');
    assert.match(await refused("--from=bad.json"), "FW_CLIENT_MALFORMED: bad.json has at #/paths/~1a/get");
    assert.match(await refused("--from=none.json"), "FW_CLIENT_NO_FILE");
    assert.match(await refused("--from=none.json", "--portal=api_portal"), "FW_FLAGS_CLASH");
    assert.match(await refused("--portal=apy_portal"), 'Did you mean "ApiPortal"?');
  });
});
