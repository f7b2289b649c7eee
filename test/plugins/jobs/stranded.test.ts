import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";
import { TestHost } from "../../support/test_host.ts";
import { jobsRoot, openJobs } from "./support.ts";

const maria = (await databases()).find(({ name }) => name === "mysql");
const skip = maria ? maria.skip : "runs on mysql, which FW_TEST_DATABASES does not name";

describe("Jobs whose claim meets a deadlock", (it) => {
  it.unless(skip, "Jobs that were claimed before a deadlock run at once, and the others later", async () => {
    const { DATABASE_URL } = await maria!.values();
    const { kernel, jobs, database } = await openJobs(jobsRoot(), DATABASE_URL!);
    try {
      await database.migrations.up();
      const done: number[] = [];
      jobs.define("count", async (_payload, { id }) => void done.push(id));
      for (let index = 0; index < 3; index++) await jobs.enqueue("count", {});
      await database.knex.raw(
        "create trigger failing before update on framewright_jobs for each row if new.state = 'running' and new.id = 2 then signal sqlstate '40001' set mysql_errno = 1213; end if",
      );
      await Promise.race([jobs.drain().catch(() => undefined), sleep(5000)]);
      assert.ok(done.includes(1), `done: ${done}`);
      const running = await database.knex("framewright_jobs").where({ state: "running" }).select("id");
      assert.equal(running, []);
      await database.knex.raw("drop trigger failing");
      await jobs.drain();
      assert.equal([...done].sort(), [1, 2, 3]);
    } finally {
      await kernel.close();
      await maria!.clean();
    }
  });

  it.unless(
    skip,
    "A job of one attempt whose claim lost its connection after it was made runs all the same",
    async () => {
      const { DATABASE_URL } = await maria!.values();
      const host = new TestHost(await freePort());
      await host.start();
      const url = new URL(DATABASE_URL!);
      url.port = `${host.port}`;
      const { kernel, jobs, database } = await openJobs(jobsRoot(), url.href);
      try {
        await database.migrations.up();
        const done: number[] = [];
        jobs.define("count", async (_payload, { id }) => void done.push(id));
        const id = await jobs.enqueue("count", {}, { maxAttempts: 1 });
        host.losesAnswerTo = "update `framewright_jobs`";
        await jobs.drain().catch(() => undefined);
        assert.equal(done, []);
        await jobs.drain();
        assert.equal(done, [id]);
        const [row] = await database.knex("framewright_jobs").where({ id });
        assert.is(row.state, "done");
      } finally {
        await kernel.close();
        await host.stop();
        await maria!.clean();
      }
    },
  );
});
