import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants } from "./tenants.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Filters by records that a policy scopes, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A page behind the last one of such a list is empty, and says how many there are",
      async () => {
        let app: TestApp | undefined;
        try {
          app = await openTenants({}, await database.values());
          const ask = async (search: string) => {
            const answer = await app!.request(`/customer/1/notes.json?${search}`, { headers: { "x-user": "1" } });
            return [answer.status, ((await answer.json()) as { meta?: { total: number } }).meta?.total];
          };
          assert.equal(await ask("filter[post]=1"), [200, 1]);
          assert.equal(await ask("filter[post]=1&page=2"), [200, 1]);
          assert.equal(await ask("filter[post]=2&page=2"), [200, 0]);
        } finally {
          await app?.close();
          await database.clean();
        }
      },
    );
  });
}
