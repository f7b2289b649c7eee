import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { jobsRoot, openJobs } from "./support.ts";

const [, maria] = await databases();

describe("Jobs whose claim meets a deadlock", (it) => {
  it.unless(maria!.skip, "Jobs that were claimed before a deadlock run at once, and the others later", async () => {
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
});
