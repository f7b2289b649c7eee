import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addFiles, openApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { bootWith, openWizards, portalRoutes, tables, wizardFile, wizardFiles } from "./mounts_support.ts";

const definition = (lines: string, imports: string) => ({
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; ${imports}
    export default class PostDefinition extends ResourceDefinition { override configure() { super.configure(); ${lines} } }`,
});
const sentence = (work: () => Promise<unknown>): Promise<string> => work().then(() => "booted", String);

describe("The policy predicate of a wizard", (it) => {
  const importing = `import ImportWizard from "../wizards/import_wizard.ts";`;
  it("FW_POLICY_PREDICATE at boot names the wizard, the policy and the predicate to write", async () => {
    const lines = `this.wizard("bring_in", ImportWizard);`;
    assert.match(
      await sentence(() => bootWith(definition(lines, importing))),
      /FW_POLICY_PREDICATE: PostDefinition serves ImportWizard as "bring_in", which requires PostPolicy\.canBringIn\(\).*canBringIn\(\) \{ return/,
    );
  });
  it("A wizard boots where its policy, a parent class of it or another named predicate answers", async () => {
    const portal = {
      "packages/admin_portal/app/policies/admin_portal/post_policy.ts": `import Feature from "#app/policies/post_policy.ts"; export default class PostPolicy extends Feature {}`,
    };
    assert.is(
      await sentence(() => bootWith({ ...definition(`this.wizard("intake", ImportWizard);`, importing), ...portal })),
      "booted",
    );
    const other = `this.wizard("bring_in", ImportWizard, { policy: "intake" });`;
    assert.is(await sentence(() => bootWith(definition(other, importing))), "booted");
    const missing = `this.wizard("intake", ImportWizard, { policy: "bring_in" });`;
    assert.match(await sentence(() => bootWith(definition(missing, importing))), /FW_POLICY_PREDICATE.*canBringIn/);
  });
});

describe("A step with a file of its model", (it) => {
  it("FW_WIZARD_USING_FILE at boot for a column that a definition enters as a file, until the step declares it", async () => {
    const boot = async (fields: string, block = "") => {
      const root = writeApp({
        ...wizardFiles,
        ...definition(`this.input("cover", { as: "file" });`, ""),
        "db/migrate/20260101000001_create_framewright_wizards.ts": tables,
        "packages/admin_portal/config/routes.ts": portalRoutes(
          `routes.registerWizard(CoverWizard, { at: "cover" });`,
          `import CoverWizard from "#app/wizards/cover_wizard.ts";`,
        ),
        "app/wizards/cover_wizard.ts": wizardFile("CoverWizard", "concurrencyKey: (run) => run.currentUser", {
          steps: `.step("post", { using: Post, ${fields} }${block})`,
          imports: `import Post from "#app/models/post.ts";`,
        }),
        "db/migrate/20260101000003_add_cover.ts": `import type { Schema } from "framewright/plugins/database";
          export async function up(db: Schema) { await db.addColumns("posts", (t) => { t.json("cover"); }); }
          export async function down() {}`,
      });
      const values = { DATABASE_URL: `sqlite:${join(mkdtempSync(join(tmpdir(), "fw-")), "test.sqlite3")}` };
      const pending = await openApp(root, { values });
      await databaseOf(pending.application).migrations.up();
      await pending.close();
      return sentence(async () => (await openApp(root, { values })).close());
    };
    const refusal = /FW_WIZARD_USING_FILE: the step "post" imports "cover" from Post.*f\.file\("cover"\)/;
    assert.match(await boot(`fields: ["title", "cover"]`), refusal);
    assert.match(await boot(`except: ["title"]`), refusal);
    assert.is(await boot(`fields: ["title", "cover"]`, `, (f) => f.file("cover")`), "booted");
    assert.is(await boot(`except: ["cover"]`), "booted");
  });
});

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A step with a field that its model lacks, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const imports = `import Post from "#app/models/post.ts";`;
    const wizard = (fields: string, using = "using") =>
      wizardFile("TitleWizard", "concurrencyKey: (run) => run.currentUser", {
        steps: `.step("first", {}, (f) => f.string("note")).step("post", { ${using}: Post, fields: [${fields}] })`,
        imports,
      });
    const registered = {
      "packages/admin_portal/config/routes.ts": portalRoutes(
        `routes.registerWizard(TitleWizard, { at: "title" });`,
        `import TitleWizard from "#app/wizards/title_wizard.ts";`,
      ),
    };
    it.unless(
      database.skip,
      "FW_WIZARD_USING at boot suggests the right name, registered or on a definition, unless a migration is pending",
      async () => {
        const file = join(mkdtempSync(join(tmpdir(), "fw-")), "test.sqlite3");
        const values = { DATABASE_URL: `sqlite:${file}`, ...(await database.values()) };
        const app = await openWizards({ ...registered, "app/wizards/title_wizard.ts": wizard(`"title"`) }, values);
        await app.close();
        const wrong = { "app/wizards/title_wizard.ts": wizard(`"titel"`) };
        const base = { ...wizardFiles, "db/migrate/20260101000001_create_framewright_wizards.ts": tables };
        const onDefinition = definition(
          `this.wizard("intake", TitleWizard);`,
          `import TitleWizard from "../wizards/title_wizard.ts";`,
        );
        for (const mounted of [registered, onDefinition]) {
          const root = writeApp({ ...base, ...mounted, ...wrong });
          assert.match(
            await sentence(() => openApp(root, { values })),
            /FW_WIZARD_USING: the step "post" imports "titel" from Post.*Did you mean "title"\?/,
          );
          addFiles(root, {
            "db/migrate/20260101000003_add_titel.ts": `import type { Schema } from "framewright/plugins/database";
            export async function up(db: Schema) { await db.addColumns("posts", (t) => { t.string("titel"); }); }
            export async function down() {}`,
          });
          const pending = await openApp(root, { values });
          if (mounted === onDefinition) await databaseOf(pending.application).migrations.up();
          await pending.close();
        }
      },
    );
  });
}
