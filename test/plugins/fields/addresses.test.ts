import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openWizards, wizardFiles } from "../wizards/mounts_support.ts";

const files: Record<string, string> = {
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    /return \["title"\];/g,
    'return ["title", "mail", "site"] as never;',
  ]),
  "app/definitions/post_definition.ts": `
    import { ResourceDefinition } from "framewright/plugins/resources";
    import type Post from "#app/models/post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        this.field("mail" as never, { as: "email" });
        this.field("site" as never, { as: "url" });
      }
    }`,
  "db/migrate/20260101000002_add_addresses.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("posts", (t) => { t.string("mail"); t.string("site"); }); }
    export async function down(): Promise<void> {}`,
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Addresses of e-mail and of pages, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const store = async (post: object) => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request("/admin/posts/1.json", {
        method: "PATCH",
        headers,
        body: JSON.stringify({ post }),
      });
      return ((await answer.json()) as { data: { mail: unknown; site: unknown } }).data;
    };
    it.unless(database.skip, "Are stored without spaces around them, and with their domain in lower case", async () => {
      for (const [given, stored] of [
        [" Ada.Lovelace@Example.COM ", "Ada.Lovelace@example.com"],
        ['"A@B"@Example.com', '"A@B"@example.com'],
        ["\tada@xn--BCHER-KVA.example\n", "ada@xn--bcher-kva.example"],
        ["nobody", "nobody"],
        ["", null],
        [null, null],
      ])
        assert.is((await store({ mail: given })).mail, stored, String(given));
      for (const [given, stored] of [
        [" HTTPS://Example.COM/Path?Q=A@B#C ", "https://example.com/Path?Q=A@B#C"],
        ["http://User:Pass@Example.com:80/A", "http://User:Pass@example.com:80/A"],
        ["http://[2001:DB8::1]/A", "http://[2001:db8::1]/A"],
        ["mailto:Ada@Example.com", "mailto:Ada@Example.com"],
      ])
        assert.is((await store({ site: given })).site, stored, String(given));
    });
    it.unless(database.skip, "Are read in time that grows with their length", async () => {
      const started = performance.now();
      for (const mail of ["@".repeat(100_000), `${" ".repeat(100_000)}x`]) await store({ mail });
      for (const site of [`http://${"@".repeat(100_000)}`, `http://${"a:".repeat(50_000)}`]) await store({ site });
      assert.ok(performance.now() - started < 2000);
    });
  });
}
