// The application that the suite of the slot "resources" is run in: notes of two people, each with replies.

/** The rows of each table, in an order that references allow. */
export const noteTables = {
  people: [
    { id: 1, name: "Ann" },
    { id: 2, name: "Bob" },
  ],
  notes: [
    { id: 1, title: "Ann's first", secret: "hidden-ann", person_id: 1 },
    { id: 2, title: "Bob's first", secret: "hidden-bob", person_id: 2 },
    { id: 3, title: "Ann's second", secret: "hidden-ann", person_id: 1 },
  ],
  replies: [
    { id: 1, text: "Reply to Ann", note_id: 1 },
    { id: 2, text: "Reply to Bob", note_id: 2 },
  ],
} as const;

const controllers = "packages/desk_portal/app/controllers/desk_portal";

/** A portal in which people see their own notes, and nobody their secrets. */
export const noteFiles: Readonly<Record<string, string>> = {
  "db/migrate/20260101000000_create_tables.ts": `export async function up(db) {
    await db.createTable("people", (t) => { t.id(); t.string("name").notNull(); });
    await db.createTable("notes", (t) => { t.id(); t.string("title").notNull(); t.string("secret"); t.belongsTo("person", { table: "people" }); t.lockVersion(); });
    await db.createTable("replies", (t) => { t.id(); t.string("text").notNull(); t.belongsTo("note", { null: false }); });
  }
  export async function down() {}`,
  "app/models/person.ts": `import { Model } from "framewright/plugins/database";
    export default class Person extends Model("people") {}`,
  "app/models/note.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
    export default class Note extends Model("notes") {
      static associations = { person: belongsTo({ optional: true }), replies: hasMany() };
      static validations = { title: { presence: true } };
    }`,
  "app/models/reply.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Reply extends Model("replies") {
      static associations = { note: belongsTo() };
    }`,
  "app/policies/note_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class NotePolicy extends Policy {
      canRead() { return this.user !== undefined; }
      canCreate() { return this.user !== undefined; }
      canDestroy() { return this.record?.title !== "Ann's first"; }
      canAudit() { return this.user?.id === 1; }
      permittedAttributesForRead() { return ["title", "person"]; }
      permittedAttributesForCreate() { return ["title"]; }
      permittedAssociations() { return ["replies"]; }
      relationScope(query) { return query.where("notes.person_id", this.user?.id ?? 0); }
    }`,
  "app/policies/reply_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class ReplyPolicy extends Policy {
      canRead() { return true; }
      permittedAttributesForRead() { return ["text"]; }
    }`,
  "app/policies/person_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class PersonPolicy extends Policy {
      canRead() { return true; }
      permittedAttributesForRead() { return ["name"]; }
    }`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    import { DeskPortal } from "#packages/desk_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(DeskPortal, { at: "/desk" }); });`,
  "packages/desk_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals";
    export const DeskPortal = definePortal("DeskPortal");`,
  "packages/desk_portal/config/routes.ts": `import Note from "#app/models/note.ts";
    import Person from "#app/models/person.ts";
    import Reply from "#app/models/reply.ts";
    import { DeskPortal } from "../lib/engine.ts";
    export default DeskPortal.routes.draw((routes) => { for (const model of [Note, Reply, Person]) routes.registerResource(model); });`,
  [`${controllers}/resource_controller.ts`]: `import { ResourceController as Base } from "framewright/plugins/resources";
    import Controller from "./concerns/controller.ts";
    export default class ResourceController extends Controller(Base) {}`,
  [`${controllers}/concerns/controller.ts`]: `import { concern } from "framewright";
    import { CurrentUser, PortalController } from "framewright/plugins/portals";
    import Person from "#app/models/person.ts";
    const findPerson = CurrentUser(async (request) => Person.query().findById(Number(request.header("x-conformance-person") ?? 0)));
    export default (Base) => concern(Base, PortalController, findPerson);`,
};
