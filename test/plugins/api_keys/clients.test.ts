import { newApiKey } from "../../../plugins/api_keys/key.ts";
import { digestOf } from "../../../plugins/memberships/invitations/invitation.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { filesWith, optional } from "./clients_app.ts";
import { KeyClient } from "./keys_app.ts";

const posts = "/customer/posts";
const client = async (app: TestApp, name: string, more: object = {}, key = newApiKey()) => {
  const row = {
    organization_id: 1,
    name,
    role: "write",
    key_digest: digestOf(key),
    key_hint: key.slice(-4),
    ...more,
  };
  await databaseOf(app.application).knex("api_clients").insert(row);
  return new KeyClient(app, key);
};

for (const database of await databases({ withPostgres: true })) {
  describe(`API clients with scopes and an expiry, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const findings = async (app: TestApp) => {
      const found: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.hooks.examine.promise(found as never);
      return found.filter(({ what }) => what.startsWith("API clients"));
    };

    can("Scopes narrow what the role permits; without any the key does all of it", async () => {
      const app = await openTenants(filesWith(optional), await database.values());
      const knex = () => databaseOf(app.application).knex("api_clients");
      const free = await client(app, "free");
      const reader = await client(app, "reader", { scopes: "posts:read" });
      const none = await client(app, "none", { scopes: "" });
      const weak = await client(app, "weak", { scopes: "*:write", role: "read_only" });
      const sent = { post: { title: "By a program", status: "live" } };
      assert.is((await free.send("POST", posts, sent)).status, 201);
      assert.is((await free.get("/customer/comments")).status, 200);
      assert.is((await reader.get(posts)).status, 200);
      const comments = await reader.get("/customer/comments");
      assert.equal([comments.status, comments.body.code], [403, "FW_API_KEY_SCOPE"]);
      assert.is((await reader.send("POST", posts, sent)).status, 403);
      assert.is((await none.get(posts)).status, 403);
      assert.is((await weak.get(posts)).status, 200);
      assert.is((await weak.send("POST", posts, sent)).status, 403, "a scope is no role");
      const late = await client(app, "late", { expires_at: new Date(Date.now() - 1000) });
      const [expired, unknown] = [await late.get(posts), await new KeyClient(app, newApiKey()).get(posts)];
      assert.equal([expired.status, expired.text], [401, unknown.text]);
      const used = (await knex().where({ name: "reader" }).first()).last_used_at;
      assert.ok(used);
      const [finding] = await findings(app);
      assert.equal([finding?.ok, finding?.detail], [true, "keys may have scopes and an expiry"]);
      await app.close();
      await database.clean();
    });

    can("A table of before, and keys of before, work as they did; doctor names the columns", async () => {
      const app = await openTenants(filesWith("", ""), await database.values());
      const old = await client(app, "old", {}, "x".repeat(43));
      assert.is((await old.get(posts)).status, 200);
      assert.is((await old.send("POST", posts, { post: { title: "Old", status: "live" } })).status, 201);
      const [finding] = await findings(app);
      assert.is(finding?.ok, true);
      assert.match(finding!.detail, "fw g fw:migration add_scopes_to_api_clients scopes:text? expires_at:datetime?");
      await app.close();
      await database.clean();
    });
  });
}

describe("API clients with scopes in an application that has no place for them", (it) => {
  it("A portal that is closed to keys takes none with scopes", async () => {
    const app = await openTenants(filesWith(optional, 'apiKeyScopes({ closed: ["CustomerPortal"] }), '));
    const reader = await client(app, "reader", { scopes: "*:read" });
    const answer = await reader.get(posts);
    assert.equal([answer.status, answer.body.code], [403, "FW_API_KEY_CLOSED"]);
    await app.close();
  });

  it("Scopes that nothing checks open nothing", async () => {
    const app = await openTenants(filesWith(optional, ""));
    app.application.log.error = () => undefined;
    const reader = await client(app, "reader", { scopes: "posts:read" });
    const answer = await reader.get(posts);
    assert.is(answer.status, 500);
    assert.not.match(answer.text, "Post Alpine");
    await app.close();
  });
});
