import { jobsConformance } from "../../conformance/jobs.ts";
import { databases } from "../../support/databases.ts";
import { describe, reasonToSkip } from "../../support/index.ts";
import { testRedis } from "../../support/redis.ts";
import { jobsRoot } from "../jobs/support.ts";
import { openBullmq } from "./support.ts";

const lacking = await reasonToSkip("redis");

for (const database of await databases()) {
  describe(`Jobs in Redis, over ${database.name}`, (it, { after }) => {
    let server: ReturnType<typeof testRedis> | undefined;
    after(async () => {
      await database.clean();
      await (await server)?.remove();
    });
    for (const { sentence, check } of jobsConformance) {
      it.unless(lacking ?? database.skip, sentence, async () => {
        server ??= testRedis();
        const { DATABASE_URL: url = "sqlite::memory:" } = await database.values();
        const { kernel, ...opened } = await openBullmq(jobsRoot(), { url, redisUrl: (await server).url });
        try {
          await opened.database.migrations.up();
          await check(opened);
        } finally {
          await kernel.close();
        }
      });
    }
  });
}
