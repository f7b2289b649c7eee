import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { openTenants } from "../scoping/tenants.ts";
import { changesFiles } from "./changes_app.ts";

const KILLS = 3;
const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };

for (const database of await databases()) {
  describe(`A process that is killed while records are written, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(database.skip, "No change is stored without its line, and no line without its change", async () => {
      const values = await database.values();
      const made = await openTenants(changesFiles, values);
      await made.close();
      const settings = { root: made.root, env: "test", databaseUrl: values.DATABASE_URL, secrets: [] };
      const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], {
        settings: settings as unknown as Settings,
      });
      const { knex } = kernel.service("database");
      try {
        for (let kill = 1; kill <= KILLS; kill++) {
          const { child, url } = await serveApp(made.root, values);
          const writers = [1, 2, 3, 4].map(async (writer) => {
            for (let at = 0; ; at++) {
              const body = JSON.stringify({ post: { title: `${kill} ${writer} ${at}` } });
              const answer = await fetch(`${url}/customer/1/posts/1`, { method: "PATCH", headers, body });
              if (!answer.ok) throw new Error(`${answer.status}`);
            }
          });
          const ended = Promise.allSettled(writers);
          const written = async () => (await knex("lines")).length;
          for (const enough = (await written()) + 5; (await written()) < enough; ) await sleep(20);
          child.kill("SIGKILL");
          await exitOf(child);
          await ended;
          const { title } = await knex("posts").where({ id: 1 }).first();
          const lines = await knex("lines").orderBy("id");
          assert.is(lines.at(-1)?.now, title);
          for (const [index, line] of lines.entries())
            if (index > 0) assert.is(line.old, lines[index - 1].now, `line ${index}`);
        }
      } finally {
        await kernel.close();
      }
    });
  });
}
