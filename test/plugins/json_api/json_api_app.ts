import type { TestApp } from "../../support/apps.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const path = (name: string) => `app/policies/${name}_policy.ts`;
const user = "((this.user as { id?: number } | undefined)?.id ?? 0)";

/**
 * Two tenants whose programs include records. Cat (3) reads neither the author of a post nor the title of a comment, Dan nothing
 * below posts; comments called "Hidden" are out of everybody's sight, and notes are Ann's alone. Attachments are redacted by their
 * controller, and categories are behind a check of their own.
 */
export const jsonApiFiles: Record<string, string> = {
  ...tenantFiles,
  "plugins.config.ts": withPlugin(
    withPlugin(tenantFiles["plugins.config.ts"]!, "jsonApi()", "json_api"),
    "openapi()",
    "openapi",
  ),
  [path("post")]: edited(
    tenantFiles,
    path("post"),
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"]',
      `return ["title", "status", ...(${user} === 3 ? [] : ["author" as const]), "category"]`,
    ],
    [
      "override permittedAssociations",
      'override permittedAttributesForShow(): ReadAttributes<Post> { return [...this.permittedAttributesForRead(), "comments"]; }\n  override permittedAssociations',
    ],
  ),
  [path("comment")]: edited(
    tenantFiles,
    path("comment"),
    ["Associations, Attributes, ReadAttributes", "Associations, Attributes, Query, ReadAttributes"],
    [
      'override permittedAttributesForRead(): ReadAttributes<Comment> {\n    return ["title", "post", "reply_to"]',
      `override relationScope(query: Query<Comment>) { return query.whereNot("title", "Hidden"); }\n  override canIndex() { return ${user} !== 4; }\n  override permittedAttributesForRead(): ReadAttributes<Comment> {\n    return [...(${user} === 3 ? [] : ["title" as const]), "post", "reply_to"]`,
    ],
  ),
  [path("note")]: edited(tenantFiles, path("note"), [
    "canRead() {\n    return true",
    `canRead() {\n    return ${user} === 1`,
  ]),
  [path("user")]: edited(tenantFiles, path("user"), [
    "override permittedAssociations",
    'override canShow() { return this.record?.name !== "Dan"; }\n  override permittedAttributesForShow(): ReadAttributes<User> { return ["name"]; }\n  override permittedAssociations',
  ]),
  "packages/customer_portal/app/controllers/customer_portal/attachments_controller.ts": `import ResourceController from "./resource_controller.ts";
export default class AttachmentsController extends ResourceController {
  override recordJson(record: never, names: never) { return { ...super.recordJson(record, names), name: "redacted" }; }
}`,
  "packages/customer_portal/app/controllers/customer_portal/categories_controller.ts": `import ResourceController from "./resource_controller.ts";
import { notFound } from "framewright";
export default class CategoriesController extends ResourceController {
  static override beforeActions = ["mayEnter"];
  mayEnter() { throw notFound(); }
}`,
};

/** Alpine has 12 posts more, with 25 comments each; some refer to what is Baltic's. */
export async function openJsonApi(values: Record<string, string> = {}): Promise<TestApp> {
  const app = await openTenants(jsonApiFiles, values);
  const { knex } = databaseOf(app.application);
  await knex("users").where({ id: 3 }).update({ name: "Cat" });
  for (let post = 11; post <= 22; post++) {
    const author_id = [1, 3, 4][post % 3]!;
    await knex("posts").insert({ id: post, title: `Post ${post}`, status: "live", organization_id: 1, author_id });
    const comments = Array.from({ length: 25 }, (_, at) => ({
      id: post * 100 + at,
      title: at === 3 ? "Hidden" : `Comment ${post}.${at}`,
      post_id: post,
      reply_to_id: at === 0 ? null : at === 24 ? 2 : post * 100 + at - 1, // the last one answers Baltic's
    }));
    await knex("comments").insert(comments);
    await knex("notes").insert({ id: post, title: `Note ${post}`, post_id: post });
  }
  await knex("attachments").insert({ id: 30, name: "Secret.pdf", comment_id: 1101 });
  return app;
}
