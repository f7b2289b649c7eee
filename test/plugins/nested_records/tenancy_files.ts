import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

/** Posts of tenants with their comments and their note as rows of their form. */
export const rowsFiles: Record<string, string> = {
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { portals }", 'import { nestedRecords } from "framewright/plugins/nested_records";\nimport { portals }'],
    ["  resources(),", "  resources(),\n  nestedRecords(),"],
  ),
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/nested_records";
    import type Post from "../models/post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() { super.configure(); this.repeated("comments", { fields: ["title", "reply_to"] }); this.fieldGroup("note", { fields: ["title"] }); }
    }`,
  "app/policies/post_policy.ts": edited(
    tenantFiles,
    "app/policies/post_policy.ts",
    ['"author", "category"]', '"author", "category", "comments", "note"] as never'],
    ['"author", "comments"]', '"author", "comments", "note"] as never'],
    ["canPublish()", "override canUpdate() { return true; }\n  canPublish()"],
  ),
};
