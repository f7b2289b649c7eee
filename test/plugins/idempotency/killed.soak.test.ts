import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { openTenants } from "../scoping/tenants.ts";
import { idempotencyFiles, Program } from "./idempotency_app.ts";

interface Listed {
  data: { id: number; title: string }[];
}
const posts = "/customer/1/posts";

for (const database of await databases({ withPostgres: true, byCommands: true })) {
  describe(`A process that is killed while a request with a key runs, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      "Before the commit nothing is there, and after it the record once, with its address",
      async () => {
        const values: Record<string, string> = { ...(await database.values()), REQUEST_DEADLINE: "1000" };
        const made = await openTenants(idempotencyFiles, values);
        await made.close();
        const config = withPlugin(idempotencyFiles["plugins.config.ts"]!, "postgres()", "postgres");
        if (/^(?:pglite|postgres)/.test(values.DATABASE_URL ?? ""))
          writeFileSync(join(made.root, "plugins.config.ts"), config);
        const die = async (title: string) => {
          const served = await serveApp(made.root, values);
          const answer = await new Program(served.url, 1)
            .send(posts, { post: { title } }, title)
            .catch(() => undefined);
          assert.is(answer, undefined);
          await exitOf(served.child);
        };
        await die("Dies early");
        await die("Dies late");
        const served = await serveApp(made.root, values);
        try {
          const ann = new Program(served.url, 1);
          const early = await ann.send(posts, { post: { title: "Dies early" } }, "Dies early");
          assert.equal([early.status, early.body.code], [409, "FW_IDEMPOTENCY_RUNNING"]);
          await sleep(3500);
          const late = await ann.send(posts, { post: { title: "Dies late" } }, "Dies late");
          assert.equal([late.status, late.headers.get("idempotency-replayed")], [303, "true"]);
          const headers = { "x-user": "1", accept: "application/json" };
          const found = ((await (await ann.request(posts, { headers })).json()) as Listed).data;
          assert.equal(
            found.filter(({ title }) => title.startsWith("Dies")).map(({ id, title }) => [`${posts}/${id}`, title]),
            [[late.headers.get("location"), "Dies late"]],
          );
        } finally {
          served.child.kill("SIGKILL");
          await exitOf(served.child);
        }
      },
    );
  });
}
