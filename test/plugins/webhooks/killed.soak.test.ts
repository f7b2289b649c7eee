import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openKernel, type Settings } from "framewright/kernel";
import { database as databasePlugin } from "framewright/plugins/database";
import { postgres } from "framewright/plugins/postgres";
import { databases } from "../../support/databases.ts";
import { editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { Client } from "../../testing/client.ts";
import { PASSWORD } from "../authlib/accounts.ts";
import { openTenants, signedIn } from "../scoping/tenants.ts";
import { hooksOf, optionsOf, Receiver, type Sent, Story, webhookFiles } from "./webhooks_app.ts";

const base = webhookFiles(optionsOf().replace("timeoutSeconds: 1", "timeoutSeconds: 20"));
/** A post called "Dies" ends the process right after its commit. No plugin narrows what people see. */
const files: Record<string, string> = {
  ...base,
  "dying.ts": `import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/resources";
import Post from "./app/models/post.ts";
export const dying = definePlugin({
  name: "dying",
  requires: ["database"],
  apply({ hooks }) {
    hooks.database!.changed.for(Post).tap("dying", ({ record }) => {
      if ((record as Post).title === "Dies") process.kill(process.pid, "SIGKILL");
    });
  },
});`,
  "plugins.config.ts": editedText(
    base["plugins.config.ts"]!,
    [/^import /, 'import { dying } from "./dying.ts";\nimport '],
    ["...standard, widening", "...standard, dying"],
  ),
};

for (const database of await databases({ withPostgres: true, byCommands: true })) {
  describe(`A process that is killed between a change and its webhook, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(database.skip, "What is committed is sent by the next process, under the id that it had", async () => {
      const values = await database.values();
      const made = await openTenants(files, values);
      const story = new Story(made, await signedIn(made));
      const receiver = await Receiver.open();
      const hook = await story.create("ann", receiver.url("/killed"), [
        "post.created",
        "post.deleted",
        "comment.deleted",
      ]);
      await made.close();
      const config = editedText(
        files["plugins.config.ts"]!,
        [/^import /, 'import { postgres } from "framewright/plugins/postgres";\nimport '],
        ["...standard, dying", "...standard, postgres(), dying"],
      );
      const isPostgres = /^(?:pglite|postgres)/.test(values.DATABASE_URL ?? "");
      if (isPostgres) writeFileSync(join(made.root, "plugins.config.ts"), config);
      const serve = async () => {
        const served = await serveApp(made.root, values);
        const client = new Client(served.url);
        await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
        const { body } = await client.json<{ csrf_token: string }>("/users/account");
        const headers = {
          ...{ accept: "application/json", "content-type": "application/json", "x-csrf-token": body.csrf_token },
        };
        const send = (path: string, method: string, given?: object) =>
          client.request(path, { method, headers, ...(given ? { body: JSON.stringify(given) } : {}) });
        return { served, client, send };
      };
      const create = (title: string) => ({ post: { title, status: "live", author: 1 } });
      /** As if the leases of the process that has ended had expired. */
      const expire = async () => {
        const settings = { root: made.root, env: "test", databaseUrl: values.DATABASE_URL, secrets: [] };
        const kernel = await openKernel([databasePlugin(), ...(isPostgres ? [postgres()] : [])], {
          settings: settings as unknown as Settings,
        });
        const { knex } = kernel.service("database");
        const past = "2026-01-01 00:00:00.000";
        for (const table of ["framewright_jobs", "framewright_webhook_deliveries"])
          await knex(table).whereNotNull("locked_by").update({ locked_until: past });
        await kernel.close();
      };
      const arrived = async (count: number) => {
        for (let left = 200; left > 0 && receiver.received.length < count; left--)
          await new Promise((done) => setTimeout(done, 50));
        assert.is(receiver.received.length, count);
      };
      const first = await serve();
      assert.is(await first.send("/customer/1/posts", "POST", create("Dies")).catch(() => undefined), undefined);
      await exitOf(first.served.child);
      assert.equal(receiver.received, []);
      await expire();
      const second = await serve();
      await arrived(1);
      assert.is(receiver.received[0]!.json.data.record!.title, "Dies");
      receiver.at("/killed", () => void second.served.child.kill("SIGKILL"));
      await second.send("/customer/1/posts", "POST", create("Sent twice")).catch(() => undefined);
      await exitOf(second.served.child);
      await arrived(2);
      receiver.at("/killed", 204);
      await expire();
      const third = await serve();
      try {
        await arrived(3);
        const [, once, again] = receiver.received;
        assert.is(once!.headers["webhook-id"], again!.headers["webhook-id"]);
        const { id } = again!.json.data;
        await third.send("/customer/1/comments", "POST", { comment: { title: "Goes along", post: Number(id) } });
        await third.send(`/customer/1/posts/${id}`, "DELETE");
        await arrived(5);
        const deleted = receiver.received
          .slice(3)
          .map(({ json }) => [json.type, json.data.model, "record" in json.data]);
        assert.equal(deleted.sort(), [
          ["comment.deleted", "Comment", false],
          ["post.deleted", "Post", false],
        ]);
        const answer = await third.client.json<{ data: { deliveries: Sent[] } }>(`${hooksOf()}/${hook.id}`);
        assert.equal(
          answer.body.data.deliveries.slice(2).map(({ state }) => state),
          ["delivered", "delivered"],
        );
      } finally {
        third.served.child.kill("SIGKILL");
        await exitOf(third.served.child);
        await receiver.close();
      }
    });
  });
}
