import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { Person } from "../history/history_app.ts";
import { changesFiles } from "../resources/changes_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

/** A wizard that chooses from comments, which are called by their post: those that the person may see, or all. */
const changes = {
  ...changesFiles,
  "app/models/comment.ts": edited(tenantFiles, "app/models/comment.ts", [
    'Model("comments") {',
    `Model("comments") {
  static override labelAssociations = ["post"];
  override toLabel(): string {
    const { title, post } = this as unknown as { title: string; post?: { title: string } | null };
    return \`\${title} on \${post?.title ?? "nothing"}\`;
  }`,
  ]),
  "app/wizards/rename_wizard.ts": `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards";
    import Comment from "#app/models/comment.ts";
    import Post from "#app/models/post.ts";
    let cached: Comment[] | undefined;
    const flow = steps()
      .step("name", {}, (f) => f.select("visible", ({ query }) => query(Comment)).radio("any", async () => (cached ??= await Comment.query().orderBy("id"))))
      .review();
    export default class RenameWizard extends Wizard(flow, { anchored: anchored({ with: Post }) }) {
      async execute() { return succeed(); }
    }`,
};

for (const database of await databases()) {
  describe(`What records that a wizard's field lists are called, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);

    can("Their labels have what these read of other records, as far as the person may see it", async () => {
      const client = new Person(app.url, 1);
      const url = "/customer/1/posts/1/wizards/rename";
      const step = (await client.request(url)).headers.get("location")!;
      const html = await client.page(step);
      assert.match(html, /<option value="1"[^>]*>Comment Alpine on Post Alpine</);
      assert.not.match(html, /<option value="2"/);
      assert.match(html, /value="1"[^>]*>\s*(<[^>]*>)*Comment Alpine on Post Alpine/);
      assert.match(html, "Comment Baltic on nothing");
      assert.not.match(html, "Post Baltic");
      const other = await new Person(app.url, 2).request("/customer/2/posts/2/wizards/rename");
      assert.match(await new Person(app.url, 2).page(other.headers.get("location")!), "Comment Baltic on Post Baltic");
      assert.is((await client.submit(step, { "wizard[visible]": "1", "wizard[any]": "1" })).status, 303);
      const review = (await client.request(url)).headers.get("location")!;
      assert.match(
        await client.page(review),
        /Visible[\s\S]*Comment Alpine on Post Alpine[\s\S]*Any[\s\S]*Comment Alpine on Post Alpine/,
      );
    });
  });
}
