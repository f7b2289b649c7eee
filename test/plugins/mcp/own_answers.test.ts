import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { createKey, tenantFiles } from "../api_keys/keys_app.ts";
import { type AgentClient, agent, mcpFiles, openMcp } from "./mcp_app.ts";

const controller = "packages/customer_portal/app/controllers/customer_portal/posts_controller.ts";
const routes = "packages/customer_portal/config/routes.ts";
const elsewhere = globalThis as { leadsTo?: string | undefined };
/** Lists of records can be created, and posts have actions of the application's own, which write and lead elsewhere. */
const files: Record<string, string> = {
  "plugins.config.ts": edited(
    mcpFiles,
    "plugins.config.ts",
    ["import standard", 'import { bulkCreate } from "framewright/plugins/bulk_create"; import standard'],
    ["openapi(), mcp(),", "openapi(), mcp(), bulkCreate(),"],
  ),
  [controller]: edited(tenantFiles, controller, [
    "preview() {",
    `async lead() {
      await this.resources.database.knex("posts").where({ id: this.record.id }).increment("position", 1);
      if (globalThis.leadsTo === "long") return this.json({ text: "x".repeat(400_001) });
      return globalThis.leadsTo === undefined ? this.json({}) : this.redirectTo(globalThis.leadsTo, { external: true });
    }
    again() { return this.record ? this.redirectTo("/customer/1/posts/1") : this.json({}); }
    plain() { return this.record ? this.sendFile({ filename: "x.txt", content: "plain", type: "text/plain" }) : this.json({}); }
    preview() {`,
  ]),
  [routes]: edited(tenantFiles, routes, [
    '(m) => m.get("preview", { as: "preview" })',
    '(m) => { m.get("preview", { as: "preview" }); m.post("lead", { as: "lead" }); m.get("again", { as: "again" }); m.get("plain", { as: "plain" }); }',
  ]),
};

describe("What applications answer agents of their own", (it, { before, after }) => {
  let app: TestApp;
  let ann: AgentClient;
  before(async () => {
    app = await openMcp({}, files);
    ann = await agent(app, "/customer/1/mcp", (await createKey(app, "ann", "*:read *:write *:delete")).key);
  });
  after(async () => {
    delete elsewhere.leadsTo;
    await app?.close();
  });
  const posts = () => databaseOf(app.application).knex("posts");

  it("What was written is never answered as an error, wherever the answer leads", async () => {
    for (const [at, to] of [
      "/customer/1/posts/%ZZ",
      "/customer/1/posts/%E0%A4%A",
      "http://[",
      "/customer/1/posts/1/again",
      "/customer/1/posts/1/plain",
      "/customer/1/posts/999",
      "/customer/1/posts/new",
      "/customer/1/posts?sort=ghost",
      "/customer/2/posts/2",
      "/customer/1/../2/posts/2",
      "//elsewhere.example/customer/1/posts/1",
    ].entries()) {
      elsewhere.leadsTo = to;
      const answer = await ann.confirmed("postPostLead", { id: 1 });
      assert.equal([answer.isError, answer.body], [false, { ok: true, location: to }], to);
      assert.is((await posts().where({ id: 1 }))[0].position, at + 1, to);
    }
    elsewhere.leadsTo = "long";
    const long = await ann.confirmed("postPostLead", { id: 1 });
    assert.equal([long.isError, long.body.ok, long.body.code], [false, true, "FW_MCP_SIZE"], long.text);
    elsewhere.leadsTo = "/customer/1/posts/1";
    const followed = await ann.confirmed("postPostLead", { id: 1 });
    assert.equal(followed.body.address, { tool: "getPost", arguments: { id: "1" } }, followed.text);
  });

  it("One record is created, or a list of them where the application takes lists, within the limit of a call", async () => {
    const post = (title: string) => ({ title, status: "live", author: 1 });
    const one = await ann.confirmed("createPost", { post: post("One") });
    assert.is(one.body.data?.title, "One", one.text);
    const two = await ann.confirmed("createPost", { post: [post("Two"), post("Three")] });
    assert.equal(two.body.data?.map(({ title }: { title: string }) => title), ["Two", "Three"], two.text); // biome-ignore format: one line
    const many = await ann.call("createPost", { post: Array.from({ length: 51 }, () => post("Many")) });
    assert.match(String(many.body.detail), "more than 50");
    assert.match(String((await ann.call("createPost", {})).body.detail), '"post" is missing');
  });
});
