import { writeApp } from "../support/apps.ts";
import { migrated } from "../support/fixture_types.ts";
import { copyFixture } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { undefinedTargets } from "../support/route_targets.ts";
import { openMigrated } from "../support/shop.ts";

describe("The targets of routes", (it) => {
  for (const name of migrated)
    it(`Every route of ${name} names code that a search finds: a class and its method, or a plugin and its function`, async () => {
      const app = await openMigrated(writeApp(copyFixture(name)));
      try {
        const routes = app.application.routes();
        assert.ok(routes.length > 20, String(routes.length));
        assert.equal(undefinedTargets(app.root, routes), []);
      } finally {
        await app.close();
      }
    });
});
