import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { audit, leaking } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { rowsFiles } from "./tenancy_files.ts";

const definition = "app/definitions/post_definition.ts";
/** Comments have a text that their policy permits nobody to read or write, and that the rows of a post name all the same. */
const hiddenFiles = {
  ...rowsFiles,
  "db/migrate/20260109000000_add_remark_to_comments.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("comments", (t) => { t.string("remark"); }); }
    export async function down(db: Schema) { await db.dropColumns("comments", ["remark"]); }`,
  [definition]: edited(rowsFiles, definition, ['["title", "reply_to"]', '["title", "reply_to", "remark"] as never']),
};

describe("The tenancy audit of an application with rows within its forms", (it) => {
  it("No route leaks, nor shows a column that the policy of rows hides", async () => {
    const report = await audit({ ...tenantFiles, ...hiddenFiles });
    assert.equal(leaking(report), []);
  });
  it("A form whose rows show it is found, with its route", async () => {
    const report = await audit({
      ...tenantFiles,
      ...hiddenFiles,
      "app/definitions/comment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
        import type Comment from "../models/comment.ts";
        export default class CommentDefinition extends ResourceDefinition<Comment> {
          override configure() {
            super.configure();
            this.input("title", { hint: ({ record }) => (record as { remark?: string } | undefined)?.remark });
          }
        }`,
    });
    const found = leaking(report);
    assert.ok(
      found.some((route) => /^GET .*\/posts\/:id\/edit$/.test(route)),
      found.join("\n"),
    );
  });
});
