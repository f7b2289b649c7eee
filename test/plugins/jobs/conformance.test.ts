import { jobsConformance } from "../../conformance/jobs.ts";
import { databases } from "../../support/databases.ts";
import { describe } from "../../support/index.ts";
import { jobsRoot, openJobs } from "./support.ts";

for (const database of await databases()) {
  describe(`Jobs in rows of ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    for (const { sentence, check } of jobsConformance) {
      it.unless(database.skip, sentence, async () => {
        const { DATABASE_URL: url = "sqlite::memory:" } = await database.values();
        const { kernel, ...opened } = await openJobs(jobsRoot(), url);
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
