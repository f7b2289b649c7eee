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
/** The names of the fields in the lists of a record's page. */
const listsOf = (html: string): string[][] =>
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
      const [main, unset, aside, ...others] = listsOf(html);
      assert.equal(
        [...main!, ...unset!],
        ["Note", "Contact email", "Status", "Weight", "Fee", "Tracking code", "Extra"],
      );
      assert.equal(
        [...aside!, ...others.flat()].sort(),
        ["Carrier", "Fragile", "Due on", "Sent at", "Author", "Category", "Created at", "Updated at"].sort(),
      );
      assert.equal(others.at(-1), ["Created at", "Updated at"]);
    });

    can("A record that is called otherwise has all of its fields", async () => {
      const { knex } = databaseOf(app.application);
      await knex("shipments").where({ id: 1004 }).update({ reference: "" });
      const html = await page("/customer/1/shipments/1004");
      assert.match(html, "<h1>Shipment #1004</h1>");
      assert.ok(listsOf(html).flat().includes("Reference"));
    });

    can("Its state stands beside the title, up to four facts below it, and what is empty is folded away", async () => {
      const { knex } = databaseOf(app.application);
      await knex("shipments").where({ id: 1003 }).update({ status: "lost", note: null, due_on: "2026-03-31" });
      const html = await page("/customer/1/shipments/1003");
      const header = /<header class="fw-page-header">.*?<\/header>/s.exec(html)![0];
      assert.match(header, /<\/h1>\s*<span class="fw-status[^"]*">Lost<\/span>/);
      const facts = [...header.matchAll(/<li>(.*?)<\/li>/gs)].map(([, fact]) => fact!.replace(/<[^>]*>/g, ""));
      assert.ok(facts.length <= 4);
      assert.ok(facts.some((fact) => fact.includes("31 Mar 2026")));
      const folded = /<details class="fw-unset"><summary>Show empty fields \(\d+\)<\/summary>.*?<\/details>/s.exec(
        html,
      )![0];
      assert.match(folded, "<dt>Note</dt>");
    });

    can("Editing is the main action, and deleting stands in the menu after it", async () => {
      const html = await page("/customer/1/shipments/1002");
      const bar = /<div class="fw-actions">.*?<\/details><\/div>/s.exec(html)![0];
      assert.match(bar, /<a href="[^"]*\/1002\/edit" class="btn btn-primary"/);
      const menu = /<details class="fw-dropdown fw-more-actions">.*<\/details>/s.exec(bar)![0];
      assert.match(menu, 'aria-label="More actions"');
      assert.match(menu, /actions\/destroy" class="fw-dropdown-item fw-action-danger"/);
      assert.not.match(menu, "/edit");
    });
  });
}
