import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { asPerson, files, openDashboards } from "./dashboards_app.ts";

const changes = {
  "plugins.config.ts": edited(files, "plugins.config.ts", ["i18n()", 'i18n({ locale: "de" })']),
  "config/locales/de.json": '{ "portals": { "admin": "Redaktion" } }',
  "app/views/dashboard_cards/own.liquid": `<p class="own">{{ "2026-06-30 14:00:00.000" | time }}</p>`,
};

for (const database of await databases()) {
  describe(`An application in one language, which is not English, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openDashboards(changes, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);

    can("A portal is called as the catalogue calls it", async () => {
      assert.match(await (await asPerson(app)(1, "/admin")).text(), /<title>[^<]*Redaktion/);
    });
    can("A template of a card has the language and the zone of the request", async () => {
      const card = await (await asPerson(app)(1, "/admin/dashboards/main/cards/own")).text();
      assert.match(card, "30. Juni 2026, 14:00");
    });
  });
}
