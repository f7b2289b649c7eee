import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { createKey } from "../api_keys/keys_app.ts";
import { type AgentClient, agent, openMcp } from "./mcp_app.ts";

describe("Agents change what a record has one of", (it, { before, after }) => {
  let app: TestApp;
  let ann: AgentClient;
  before(async () => {
    app = await openMcp({});
    ann = await agent(app, "/customer/1/mcp", (await createKey(app, "ann", "*:read *:write *:delete")).key);
  });
  after(() => app?.close());
  const notes = () => databaseOf(app.application).knex("notes").where({ post_id: 1 });

  it("It is shown before it is changed or deleted, and a confirmation is void after somebody else's change", async () => {
    const calls: [name: string, given: Record<string, unknown>][] = [
      ["updatePostNote", { post_id: 1, note: { title: "By an agent" } }],
      ["deletePostNote", { post_id: 1 }],
    ];
    for (const [name, given] of calls) {
      const first = await ann.call(name, given);
      const { title } = (await notes())[0];
      assert.is((first.body.record as { title?: string } | undefined)?.title, title, first.text);
      await notes().update({ title: `Somebody else's before ${name}` });
      const late = await ann.call(name, { ...given, confirmation: first.body.confirmation });
      assert.equal([late.isError, late.body.code], [true, "FW_MCP_CONFIRMATION"], late.text);
      assert.match((await notes())[0].title, "Somebody else's");
      assert.is((await ann.confirmed(name, given)).isError, false);
    }
    assert.not.equal((await notes())[0].deleted_at, null);
    const none = await ann.call("deletePostNote", { post_id: 1 });
    assert.is(none.isError, true, none.text);
    const foreign = await ann.call("updatePostNote", { post_id: 2, note: { title: "x" } });
    assert.is(foreign.isError, true, foreign.text);
    const created = await ann.confirmed("createPostNote", { post_id: 1, note: { title: "A new one" } });
    assert.is(created.body.data?.title, "A new one", created.text);
  });
});
