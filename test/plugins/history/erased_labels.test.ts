import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf } from "../authlib/accounts.ts";
import { models, openPersonalData } from "../personal_data/personal_data_app.ts";

/** Orders, which are of nobody, are called by who created them. */
const changes = {
  "app/models/order.ts": editedText(models["app/models/order.ts"]!, [
    "static personal = false;",
    `static personal = false; static override labelAssociations = ["creator"];
     override toLabel() { const { product, creator } = this as any; return product + " for " + creator?.name; }`,
  ]),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Erased people in the labels of other records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPersonalData({ values: await database.values(), changes });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("No entry names them, whichever records belong to them, or did", async () => {
      const service = databaseOf(app.application);
      const { knex } = service;
      const [erased, other] = (await addPeople(app, "user", "mia@example.test", "ben@example.test")) as [
        number,
        number,
      ];
      await knex("users").where({ id: erased }).update({ name: "Mia Zqx" });
      await knex("users").where({ id: other }).update({ name: "Ben Wvu" });
      const order = service.model("Order").class;
      const patch = (id: unknown, values: object) =>
        order
          .query()
          .findById(id as number)
          .patch(values as never);
      const now = await service.insert(order, { product: "Now", creator_id: erased });
      const once = await service.insert(order, { product: "Once", creator_id: erased });
      await patch(once.$id(), { creator_id: other });
      const gone = await service.insert(order, { product: "Gone", creator_id: erased });
      await gone.$query().delete();
      await knex("orders").insert({ id: 90, product: "Past", creator_id: erased });
      await patch(90, { product: "Past its model" });
      await service.insert(order, { product: "Foreign", creator_id: other });
      const labels = async () =>
        (await knex("framewright_history").where({ model: "Order" }).orderBy("id")).map(({ label }) => label as string);
      assert.equal(await labels(), [
        "Now for Mia Zqx",
        "Once for Mia Zqx",
        "Once for Ben Wvu",
        "Gone for Mia Zqx",
        "Gone for Mia Zqx",
        "Past its model for Mia Zqx",
        "Foreign for Ben Wvu",
      ]);
      await app.application.kernel.service("personal_data").erase("user", erased);
      const of = (record: unknown) => `Order #${record}`;
      assert.equal(await labels(), [
        ...[of(now.$id()), of(once.$id()), of(once.$id()), of(gone.$id()), of(gone.$id()), of(90)],
        "Foreign for Ben Wvu",
      ]);
    });
  });
}
