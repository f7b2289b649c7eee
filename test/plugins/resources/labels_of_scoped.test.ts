import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openPermits } from "./permits_app.ts";

/** Documents that are called by their citizen, of whom the public portal hides those who withdrew. */
const changes = {
  "app/models/document.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Document extends Model("documents") {
  static override associations = { town: belongsTo(), permit: belongsTo(), citizen: belongsTo() };
  static override labelAssociations = ["citizen"];
  override toLabel() {
    const { title, citizen } = this as unknown as { title: string; citizen?: { name: string } | null };
    return \`\${title}, of \${citizen?.name ?? "nobody"}\`;
  }
}
`,
};

for (const database of await databases()) {
  describe(`Labels that read records of which a policy hides some, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPermits(changes, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string) => (await app.request(`/public/1${path}`, { headers: { "x-user": "1" } })).text();
    const title = (text: string) => /<title>([^<&]*)/.exec(text)?.[1]?.trim();

    can("The page, the form and the deletion of a record are titled by one that the person may see", async () => {
      assert.is(title(await page("/documents/3")), "Plan of three, of Zoe Zimmer");
      assert.match(await page("/documents/3/edit"), "Plan of three, of Zoe Zimmer");
      assert.match(await page("/documents/3/actions/destroy"), "Plan of three, of Zoe Zimmer");
    });
    can("One that is hidden is not named", async () => {
      for (const path of ["/documents/1", "/documents/1/edit", "/documents/1/actions/destroy", "/documents"])
        assert.not.match(await page(path), "Withdrawn Person", path);
      assert.is(title(await page("/documents/1")), "Plan of one, of nobody");
    });
  });
}
