import { editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

describe("A wizard of a child below a singular parent", (it) => {
  it("A wizard of a child below a singular parent runs on that child, and not on the one with the parent's id", async () => {
    const review = wizardFile(
      "ReviewWizard",
      `presents: { label: "Review" }, anchored: anchored({ with: Comment }), concurrencyKey: (run) => run.anchor`,
      {
        imports: `import Comment from "#app/models/comment.ts";`,
        body: `async execute() { await this.query(Comment).findById(this.anchor.id as number).patch({ title: "Reviewed" } as never); return succeed(); }`,
      },
    );
    const app = await openWizards({
      "packages/admin_portal/config/routes.ts": editedText(portalRoutes(""), [
        "registerResource(Post)",
        "registerResource(Post, { singular: true })",
      ]),
      "app/wizards/review_wizard.ts": review,
      "app/definitions/comment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import ReviewWizard from "../wizards/review_wizard.ts";
        export default class CommentDefinition extends ResourceDefinition { override configure() { super.configure(); this.wizard("review", ReviewWizard); } }`,
    });
    try {
      const { knex } = databaseOf(app.application);
      await knex("posts").where({ id: 2 }).delete();
      await knex("comments").insert({ id: 2, title: "Second", post_id: 1 });
      const ann = as(app.client(), 1);
      const child = "/admin/post/nested_comments/2";
      const launch = `${child}/wizards/review`;
      const html = await ann.page(child);
      assert.match(html, `href="${launch}"`);
      assert.not.match(html, "nested_comments/1");
      const first = (await ann.request(launch)).headers.get("location")!;
      assert.is(first, `${launch}/first`);
      const second = await ann.submit(first, { "wizard[title]": "x" });
      assert.is(second.headers.get("location"), `${launch}/second`);
      assert.is((await ann.submit(`${launch}/second`, {})).status, 303);
      const titles = await knex("comments").orderBy("id").pluck("title");
      assert.equal(titles, ["Nice", "Reviewed"]);
    } finally {
      await app.close();
    }
  });
});
