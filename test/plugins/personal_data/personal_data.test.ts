import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../authlib/accounts.ts";
import { addMarked, type Marked, placesOf, unzipped } from "./everywhere.ts";
import { openPersonalData } from "./personal_data_app.ts";

for (const database of await databases()) {
  describe(`A person's data, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let mia: Marked;
    let ben: Marked;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPersonalData({ values: await database.values() });
        mia = await addMarked(app, "Zqxmark", 1);
        ben = await addMarked(app, "Wvuother", 2);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const service = () => app.application.kernel.service("personal_data");
    const work = () => app.application.kernel.service("jobs").drain();
    const exported = async (id: number) => {
      const chunks: Buffer[] = [];
      for await (const chunk of service().export("user", id)) chunks.push(chunk);
      return unzipped(Buffer.concat(chunks));
    };

    can("The export has everything of the person, nothing of another, and no secret", async () => {
      const files = await exported(mia.id);
      const names = [...files.keys()].sort();
      console.log(names);
      console.log(await placesOf(app, mia.mark));
      const all = [...files].map(([name, bytes]) => `${name}\n${bytes.toString()}`).join("\n");
      assert.not.match(all, new RegExp(ben.mark, "i"));
      assert.not.match(all, "secret-");
    });
    can("Erased, the person is in no column of any table and in no file, and another person is whole", async () => {
      const before = await placesOf(app, ben.mark);
      await service().erase("user", mia.login, { actor: "test" });
      await work();
      for (const row of await knex("framewright_history")) if (JSON.stringify(row).includes(mia.mark)) console.log(row);
      assert.equal(await placesOf(app, mia.mark), []);
      assert.equal(await placesOf(app, ben.mark), before);
    });
  });
}
