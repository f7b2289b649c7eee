import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const definition = "app/definitions/shipment_definition.ts";
const saying = (said: string) => ({
  ...wideFiles,
  [definition]: wideFiles[definition]!.replace("super.configure();", `super.configure(); ${said}`),
});
const headers = { "x-user": "1" };
/** The names of the fields in the columns of a record's page. */
const columnsOf = (html: string): string[][] =>
  [...html.matchAll(/<dl class="fw-details[^"]*">.*?<\/dl>/gs)].map(([list]) =>
    [...list.matchAll(/<dt>([^<]*)/g)].map(([, name]) => name!),
  );

for (const database of await databases()) {
  describe(`The page of a record, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const page = async (path: string) => (await app.request(path, { headers })).text();
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          saying('this.display("carrier", { aside: true }); this.display("status", { aside: false });'),
          {
            ...(await database.values()),
          },
        );
        await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("The heading is not said again, and states, days and what it belongs to stand aside", async () => {
      const html = await page("/customer/1/shipments/1001");
      assert.match(html, "<h1>ALP-001</h1>");
      const [main, aside] = columnsOf(html);
      assert.equal(main, ["Note", "Contact email", "Status", "Weight", "Fee", "Extra", "Tracking code"]);
      assert.equal(aside, [
        ...["Carrier", "Fragile", "Due on", "Sent at", "Author", "Category", "Created at", "Updated at"],
      ]);
    });

    can("A record that is called otherwise has all of its fields", async () => {
      const { knex } = databaseOf(app.application);
      await knex("shipments").where({ id: 1004 }).update({ reference: "" });
      const html = await page("/customer/1/shipments/1004");
      assert.match(html, "<h1>Shipment #1004</h1>");
      assert.is(columnsOf(html)[0]![0], "Reference");
    });
  });
}
