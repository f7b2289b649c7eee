import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { database as databasePlugin } from "framewright/plugins/database";
import { databases, driverPlugins } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { historyFiles, openHistory, Person } from "./history_app.ts";

const KILLS = 6;
const WRITERS = 4;
/** Milliseconds after the first answer. */
const momentOf = (kill: number): number => 20 + 45 * kill;

/** Each request changes a post and a comment in one transaction. */
const wide = {
  "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
import Comment from "../models/comment.ts";
import type Post from "../models/post.ts";
export default class PublishPost extends Interaction<Post> {
  async execute() {
    const title = "Title " + Math.random();
    await this.record.$query(this.transaction).patch({ title });
    await Comment.query(this.transaction).patch({ title }).where("post_id", this.record.id);
    return succeed(this.record);
  }
}`,
};

for (const database of await databases({ withPostgres: true, byCommands: true })) {
  describe(`A process that is killed while it changes records, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(database.skip, "No change is without its entry, and no entry without its change", async () => {
      const values = await database.values();
      const made = await openHistory({ ...historyFiles, ...wide }, values);
      await made.close();
      const url = values.DATABASE_URL;
      const config = withPlugin(historyFiles["plugins.config.ts"]!, "postgres()", "postgres");
      if (url?.startsWith("pglite")) writeFileSync(join(made.root, "plugins.config.ts"), config);
      let entries = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const served = await serveApp(made.root, values);
        let answered = 0;
        let isOver = false;
        const write = async () => {
          while (!isOver) {
            const answer = await new Person(served.url, 1)
              .send("/customer/1/posts/1/actions/publish", "POST")
              .catch(() => undefined);
            if (answer?.status === 200) answered++;
          }
        };
        const writers = Array.from({ length: WRITERS }, write);
        while (answered === 0) await sleep(2);
        await sleep(momentOf(kill));
        served.child.kill("SIGKILL");
        isOver = true;
        await exitOf(served.child);
        await Promise.all(writers);
        const settings = { root: made.root, env: "test", databaseUrl: url, secrets: [] } as unknown as Settings;
        const drivers = await driverPlugins(url ?? "");
        const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 }), ...drivers], { settings });
        const { knex } = kernel.service("database");
        for (const [table, model] of [
          ["posts", "Post"],
          ["comments", "Comment"],
        ] as const) {
          const rows = await knex("framewright_history").where({ model, record: "1" }).orderBy("at").orderBy("id");
          const changes = rows.map((row) => JSON.parse(row.changes as string).title as { from: string; to: string });
          const links = new Map(changes.map(({ from, to }) => [from, to]));
          let last = table === "posts" ? "Post Alpine" : "Comment Alpine";
          let length = 0;
          for (; links.has(last); length++) last = links.get(last)!;
          assert.equal([length, last], [rows.length, (await knex(table).where({ id: 1 }).first()).title]);
          assert.ok(rows.length > entries, `${rows.length} entries`);
          if (table === "comments") entries = rows.length;
        }
        await kernel.close();
      }
    });
  });
}
