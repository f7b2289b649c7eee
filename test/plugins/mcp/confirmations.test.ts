import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { createKey } from "../api_keys/keys_app.ts";
import { type AgentClient, agent, fails, openMcp } from "./mcp_app.ts";

const place = "/customer/1/mcp";
const all = "*:read *:write *:delete";

for (const database of await databases({ withPostgres: true })) {
  describe(`Confirmations of agents, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ann: AgentClient;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMcp(await database.values());
        ann = await agent(app, place, (await createKey(app, "ann", all)).key);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const title = async () => (await knex("posts").where({ id: 1 }))[0].title;
    const given = (text: string) => ({ id: 1, post: { title: text } });
    const confirmation = async (text: string, client = ann) =>
      (await client.call("updatePost", given(text))).body.confirmation;
    const refused = async (client: AgentClient, name: string, sent: Record<string, unknown>, expected: string) => {
      const before = await title();
      const answer = await client.call(name, sent);
      assert.equal([answer.isError, answer.body.code], [true, "FW_MCP_CONFIRMATION"], answer.text);
      assert.match(String(answer.body.detail), expected);
      assert.is(await title(), before);
    };

    can("None works twice, for other arguments, another tool or record, or when it is tampered with", async () => {
      const one = await confirmation("Once");
      await refused(ann, "updatePost", { ...given("Twice"), confirmation: one }, "not for this call");
      await refused(ann, "updatePost", { ...given("Once"), id: "1", confirmation: one }, "not for this call");
      await refused(ann, "deletePost", { id: 1, confirmation: one }, "not for this call");
      await refused(ann, "updatePost", { ...given("Once"), confirmation: `${one}A` }, "not for this call");
      await refused(ann, "updatePost", { ...given("Once"), confirmation: "" }, "not for this call");
      assert.is((await ann.call("updatePost", { ...given("Once"), confirmation: one })).isError, false);
      assert.is(await title(), "Once");
      await refused(ann, "updatePost", { ...given("Once"), confirmation: one }, "changed since");
      const created = { post: { title: "A new one", status: "live", author: 1 } };
      const two = (await ann.call("createPost", created)).body.confirmation;
      const answers = await Promise.all([1, 2, 3, 4].map(() => ann.call("createPost", { ...created, confirmation: two }))); // biome-ignore format: one line
      assert.is(answers.filter(({ isError }) => !isError).length, 1, "of several at once one");
      assert.is((await knex("posts").where({ title: "A new one" })).length, 1);
      await refused(ann, "createPost", { ...created, confirmation: two }, "was used");
    });

    can("None works by another key, of another person, or in another tenant", async () => {
      const one = await confirmation("Mine");
      const other = await agent(app, place, (await createKey(app, "ann", all)).key);
      await refused(other, "updatePost", { ...given("Mine"), confirmation: one }, "not for this call");
      const cat = (await createKey(app, "cat", all)).key;
      await refused(
        await agent(app, place, cat),
        "updatePost",
        { ...given("Mine"), confirmation: one },
        "not for this",
      );
      const here = await agent(app, place, cat);
      const created = { post: { title: "Here", status: "live", author: 3 } };
      const two = (await here.call("createPost", created)).body.confirmation;
      const there = await agent(app, "/customer/2/mcp", cat);
      await refused(there, "createPost", { ...created, confirmation: two }, "not for this call");
    });

    can("None works after the record was changed, or after five minutes", async () => {
      const one = await confirmation("Late");
      await knex("posts").where({ id: 1 }).update({ title: "By somebody else" });
      await refused(ann, "updatePost", { ...given("Late"), confirmation: one }, "changed since");
      const action = (await ann.call("publishPost", { id: 1 })).body.confirmation;
      await knex("posts").where({ id: 1 }).update({ title: "Again" });
      await refused(ann, "publishPost", { id: 1, confirmation: action }, "changed since");
      const two = await confirmation("Too late");
      const now = Date.now;
      try {
        Date.now = () => now() + 301_000;
        await refused(ann, "updatePost", { ...given("Too late"), confirmation: two }, "five minutes");
      } finally {
        Date.now = now;
      }
      assert.is((await ann.call("updatePost", { ...given("Too late"), confirmation: two })).isError, false);
    });

    can("Nor for a person whose rights have ended in between", async () => {
      const cat = await agent(app, place, (await createKey(app, "cat", all)).key);
      const one = await confirmation("No member", cat);
      const memberships = await knex("memberships").where({ user_id: 3, organization_id: 1 });
      await knex("memberships").where({ user_id: 3, organization_id: 1 }).delete();
      try {
        await fails(() => cat.call("updatePost", { ...given("No member"), confirmation: one }));
        await fails(() => cat.names());
        assert.not.equal(await title(), "No member");
      } finally {
        await knex("memberships").insert(memberships.map(({ user_id, organization_id }: { user_id: number; organization_id: number }) => ({ user_id, organization_id }))); // biome-ignore format: one line
      }
      const attachment = { attachment: { name: "x", comment: 1 } };
      const two = (await ann.call("createAttachment", attachment)).body.confirmation;
      await knex("users").where({ id: 1 }).update({ role: "reader" });
      try {
        const answer = await ann.client
          .callTool({ name: "createAttachment", arguments: { ...attachment, confirmation: two } })
          .catch((error: Error) => ({ isError: true, content: error.message }));
        assert.is(answer.isError, true, JSON.stringify(answer));
        assert.is((await ann.names()).includes("createAttachment"), false);
        assert.is((await knex("attachments").where({ name: "x" })).length, 0);
      } finally {
        await knex("users").where({ id: 1 }).update({ role: null });
      }
    });
  });
}
