import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// Two tenants, whose posts have addresses like /posts/hello-alpine.

const migration = "db/migrate/20260101000000_create_tables.ts";
const policy = "app/policies/post_policy.ts";
const routes = "packages/customer_portal/config/routes.ts";

/** The tenants' application with addresses of posts by `slug`; `column` and `declared` go into the table and the model. */
export const slugFiles = (column = 't.string("slug").notNull().unique();', declared = ""): Record<string, string> => ({
  [migration]: edited(tenantFiles, migration, [
    't.string("status");',
    `t.string("status");
    ${column}
    t.lockVersion();`,
  ]),
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "static override associations",
    `static override paramKey = "slug";\n  ${declared}\n  static override associations`,
  ]),
  [policy]: edited(
    tenantFiles,
    policy,
    [
      'return ["title", "status", "organization", "organization_id", "author", "category"]',
      'return ["title", "status", "slug", "author"]',
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"]',
      'return ["title", "status", "slug", "author", "comments"]',
    ],
    [
      "relationScope(query: Query<Post>) {",
      'relationScope(query: Query<Post>) {\n    if (this.user?.id === 3) return query.where("title", "!=", "Hidden");',
    ],
  ),
  [routes]: edited(tenantFiles, routes, [
    'r.member((m) => m.get("preview", { as: "preview" }));',
    'r.member((m) => m.get("preview", { as: "preview" }));\n    r.collection((c) => c.get("archive", { action: "index" }));',
  ]),
});
