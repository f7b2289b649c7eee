// The application that the suite of scoping strategies is run in: two tenants with a post each, and four people.

export const tenants = {
  alpine: { id: 1, slug: "alpine" },
  baltic: { id: 2, slug: "baltic" },
  /** It does not exist. */
  nobody: { id: 999, slug: "nobody" },
} as const;

/** The rows of each table, in an order that references allow. */
export const tenantTables = {
  organizations: [
    { id: 1, slug: "alpine", name: "Alpine" },
    { id: 2, slug: "baltic", name: "Baltic" },
  ],
  people: ["Ann", "Bob", "Cat", "Dan"].map((name, index) => ({ id: index + 1, name })),
  memberships: [
    { person_id: 1, organization_id: 1 },
    { person_id: 2, organization_id: 2 },
    { person_id: 3, organization_id: 1 },
    { person_id: 3, organization_id: 2 },
  ],
  posts: [
    { id: 1, title: "Post Alpine", organization_id: 1 },
    { id: 2, title: "Post Baltic", organization_id: 2 },
  ],
} as const;

const controllers = "packages/desk_portal/app/controllers/desk_portal";

/** The files of the application, whose portal is scoped by a strategy. */
export const tenantFiles = (strategy: string): Record<string, string> => ({
  "db/migrate/20260101000000_create_tables.ts": `export async function up(db) {
    await db.createTable("organizations", (t) => { t.id(); t.string("slug").notNull().unique(); t.string("name").notNull(); });
    await db.createTable("people", (t) => { t.id(); t.string("name").notNull(); });
    await db.createTable("memberships", (t) => { t.id(); t.belongsTo("person", { table: "people", null: false }); t.belongsTo("organization", { null: false }); });
    await db.createTable("posts", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("organization", { null: false }); });
  }
  export async function down() {}`,
  "app/models/organization.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Organization extends Model("organizations") {
      static paramKey = "slug";
      static associations = { memberships: hasMany(), posts: hasMany() };
    }`,
  "app/models/person.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Person extends Model("people") {
      static associations = { memberships: hasMany(), organizations: hasMany({ through: "memberships" }) };
    }`,
  "app/models/membership.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Membership extends Model("memberships") {
      static associations = { person: belongsTo(), organization: belongsTo() };
    }`,
  "app/models/post.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Post extends Model("posts") {
      static associations = { organization: belongsTo() };
    }`,
  "app/policies/post_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class PostPolicy extends Policy {
      canRead() { return true; }
      canCreate() { return true; }
      permittedAttributesForRead() { return ["title"]; }
      permittedAttributesForCreate() { return ["title"]; }
    }`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    import { DeskPortal } from "#packages/desk_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(DeskPortal, { at: "/desk" }); });`,
  "packages/desk_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals";
    import Organization from "#app/models/organization.ts";
    export const DeskPortal = definePortal("DeskPortal", (portal) => {
      portal.config.afterInitialize(() => portal.scopeToEntity(Organization, { strategy: ${JSON.stringify(strategy)} }));
    });`,
  "packages/desk_portal/config/routes.ts": `import Post from "#app/models/post.ts";
    import { DeskPortal } from "../lib/engine.ts";
    export default DeskPortal.routes.draw((routes) => { routes.registerResource(Post); });`,
  [`${controllers}/resource_controller.ts`]: `import { ResourceController as Base } from "framewright/plugins/resources";
    import Controller from "./concerns/controller.ts";
    export default class ResourceController extends Controller(Base) {}`,
  [`${controllers}/concerns/controller.ts`]: `import { concern } from "framewright";
    import { CurrentUser, PortalController } from "framewright/plugins/portals";
    import Person from "#app/models/person.ts";
    const findPerson = CurrentUser(async (request) => Person.query().findById(Number(request.header("x-conformance-person") ?? 0)));
    export default (Base) => concern(Base, PortalController, findPerson);`,
});
