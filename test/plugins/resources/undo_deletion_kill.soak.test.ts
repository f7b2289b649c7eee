import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { Client } from "../../testing/client.ts";
import { openTenants } from "../scoping/tenants.ts";
import { deletionFiles } from "./deletions_app.ts";

const posts = "/customer/1/posts";
const headers = { "x-user": "1" };
const COUNT = 80;

for (const database of await databases()) {
  describe(`A process that is killed while deletions are undone, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      "Each record is restored or kept, and the same button restores the rest once",
      async () => {
        const values = await database.values();
        const made = await openTenants(deletionFiles, values);
        await made.close();
        const settings = { root: made.root, env: "test", databaseUrl: values.DATABASE_URL, secrets: [] };
        const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], {
          settings: settings as unknown as Settings,
        });
        const { knex } = kernel.service("database");
        try {
          const ids: number[] = [];
          for (let at = 0; at < COUNT; at++) {
            const row = { title: `Post ${at}`, status: "live", organization_id: 1, author_id: 1, category_id: 1 };
            ids.push(Number((await knex("posts").insert(row))[0]));
          }
          const restored = async () => (await knex("posts").whereIn("id", ids)).length;
          const kept = async () => (await knex("framewright_deletions")).length;
          const first = await serveApp(made.root, values);
          const client = new Client(first.url);
          const query = ids.map((id) => `ids[]=${id}`).join("&");
          const asked = await (await client.request(`${posts}/bulk/destroy?${query}`, { headers })).text();
          const token = /action="[^"]*bulk\/destroy[^"]*".*?name="authenticity_token" value="([^"]*)"/s.exec(
            asked,
          )![1]!;
          const body = new URLSearchParams({ authenticity_token: token });
          for (const id of ids) body.append("ids[]", String(id));
          assert.is((await client.request(`${posts}/bulk/destroy`, { method: "POST", headers, body })).status, 303);
          assert.equal([await restored(), await kept()], [0, COUNT]);
          const page = await (await client.request(posts, { headers })).text();
          const [, url, undoToken] = /action="([^"]*\/undo)".*?name="authenticity_token" value="([^"]*)"/s.exec(page)!;
          const undo = (on: Client) =>
            on.request(url!, {
              method: "POST",
              headers,
              body: new URLSearchParams({ authenticity_token: undoToken! }),
            });
          const cut = undo(client).catch(() => undefined);
          while ((await restored()) < 5) await sleep(1);
          first.child.kill("SIGKILL");
          await exitOf(first.child);
          await cut;
          const before = await restored();
          assert.ok(before >= 5 && before < COUNT, String(before));
          assert.is(before + (await kept()), COUNT);

          const second = await serveApp(made.root, values);
          const again = new Client(second.url);
          again.keep(`fw_session=${client.cookie("fw_session")}`);
          assert.is((await undo(again)).status, 303);
          assert.equal([await restored(), await kept()], [COUNT, 0]);
          second.child.kill("SIGKILL");
          await exitOf(second.child);
        } finally {
          await kernel.close();
        }
      },
    );
  });
}
