import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes, wizardFiles } from "../wizards/mounts_support.ts";

// Permits with lines and settings in json columns, and with parcels, which have owners, and an address, in tables of their own.

const model = (name: string, table: string, body: string) =>
  `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database";
  export default class ${name} extends Model("${table}") { ${body} toLabel() { return String((this as never as Record<string, unknown>).title ?? (this as never as Record<string, unknown>).area ?? (this as never as Record<string, unknown>).street ?? (this as never as Record<string, unknown>).name); } }`;

const policy = (name: string, attributes: readonly string[], body = "") =>
  `import { Policy } from "framewright/plugins/resources";
  import type ${name} from "#app/models/${name.toLowerCase()}.ts";
  export default class ${name}Policy extends Policy<${name}> {
    override canRead() { return this.user !== undefined; }
    override canCreate() { return true; }
    override canUpdate() { return true; }
    override canDestroy() { return true; }
    override permittedAttributesForCreate() { return ${JSON.stringify(attributes)} as never; }
    override permittedAttributesForRead() { return ${JSON.stringify(attributes.filter((one) => one !== "note"))} as never; }
    ${body}
  }`;

const definition = (name: string, body: string) =>
  `import { ResourceDefinition } from "framewright/plugins/resources";
  import type {} from "framewright/plugins/nested_records";
  import type ${name} from "#app/models/${name.toLowerCase()}.ts";
  ${body.includes("model: Parcel") ? 'import Parcel from "#app/models/parcel.ts";' : ""}
  export default class ${name}Definition extends ResourceDefinition<${name}> {
    override configure() { super.configure(); ${body} }
  }`;

const tables = `import type { Schema } from "framewright/plugins/database";
  export async function up(db: Schema) {
    await db.createTable("permits", (t) => { t.id(); t.string("title").notNull(); t.json("lines"); t.json("settings"); t.json("place"); t.integer("lock_version").notNull().default(0); });
    await db.createTable("parcels", (t) => { t.id(); t.string("area").notNull(); t.string("purpose"); t.integer("position").notNull().default(0); t.string("secret_note"); t.belongsTo("permit"); t.integer("lock_version").notNull().default(0); });
    await db.createTable("owners", (t) => { t.id(); t.string("name").notNull(); t.belongsTo("parcel"); });
    await db.createTable("sites", (t) => { t.id(); t.string("street").notNull(); t.belongsTo("permit"); });
    await db.createTable("notes", (t) => { t.id(); t.string("text"); t.integer("permit_id"); });
  }
  export async function down(db: Schema) { for (const name of ["notes", "sites", "owners", "parcels", "permits"]) await db.dropTable(name); }`;

const lines = `this.repeated("lines", { maximum: 3, fields: {
    text: { as: "string", presence: true, length: { maximum: 20 } },
    kind: { as: "select", choices: ["work", "material"] },
    hours: { as: "integer", condition: ({ values }) => values.kind === "work", presence: true },
    amount: { as: "money", currency: "EUR" },
    parcel: { as: "association", model: Parcel },
  } });`;

export const permitFiles: Record<string, string> = {
  "db/migrate/20260101000002_create_permits.ts": tables,
  "app/models/permit.ts": model(
    "Permit",
    "permits",
    `static override associations = { parcels: hasMany({ dependent: "destroy" }), site: hasOne({ dependent: "destroy" }) };`,
  ),
  "app/models/parcel.ts": model(
    "Parcel",
    "parcels",
    `static override associations = { permit: belongsTo(), owners: hasMany({ dependent: "destroy" }) }; static override validations = { area: { presence: true }, purpose: { length: { maximum: 10 } } };`,
  ),
  "app/models/owner.ts": model(
    "Owner",
    "owners",
    `static override associations = { parcel: belongsTo() }; static override validations = { name: { presence: true } };`,
  ),
  "app/models/site.ts": model("Site", "sites", `static override associations = { permit: belongsTo() };`),
  "app/policies/permit_policy.ts": policy("Permit", ["title", "lines", "settings", "place", "parcels", "site", "note"]),
  "app/policies/parcel_policy.ts": policy(
    "Parcel",
    ["area", "purpose", "owners", "permit"],
    `override canUpdate() { return this.record?.area !== "locked"; }
    override canDestroy() { return this.record?.area !== "locked"; }
    override canCreate() { return (this.user as { id: number }).id !== 2; }
    override relationScope(query) { return query.where("parcels.area", "<>", "unseen"); }`,
  ),
  "app/policies/owner_policy.ts": policy("Owner", ["name", "parcel"]),
  "app/policies/site_policy.ts": policy("Site", ["street", "permit"]),
  "app/definitions/permit_definition.ts": definition(
    "Permit",
    `${lines}
    this.input("settings", { as: "key_value" });
    this.fieldGroup("place", { fields: { city: { as: "string", presence: true }, floor: { as: "integer" } } });
    this.repeated("parcels", { fields: ["area", "purpose", "owners"], order: "position", maximum: 5 });
    this.fieldGroup("site", { fields: ["street"] });
    this.virtual("note", { as: "text", length: { maximum: 20 }, async save({ value, record, transaction }) {
      if (value !== null) await transaction("notes").insert({ text: value as string, permit_id: record.$id() as number });
    } });
    this.column("lines");
    this.action("duplicate");`,
  ),
  "app/definitions/parcel_definition.ts": definition("Parcel", `this.repeated("owners", { fields: ["name"] });`),
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    ["export default", 'import { nestedRecords } from "framewright/plugins/nested_records";\nexport default'],
    ["resources(),", "resources(), nestedRecords(),"],
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    "routes.registerResource(Permit); routes.registerResource(Parcel); routes.registerResource(Owner); routes.registerResource(Site);",
    `import Permit from "#app/models/permit.ts"; import Parcel from "#app/models/parcel.ts"; import Owner from "#app/models/owner.ts"; import Site from "#app/models/site.ts";`,
  ),
};

/** Opens the application with a permit of two parcels, and another permit with one. */
export async function openPermits(
  values: Record<string, string>,
  changes: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openWizards({ ...permitFiles, ...changes }, values);
  const { knex } = databaseOf(app.application);
  const doc = (value: unknown) => JSON.stringify(value);
  await knex("permits").insert([
    {
      id: 1,
      title: "Bridge",
      lines: doc([{ text: "dig", kind: "work", hours: 3, amount: "10.00" }]),
      settings: doc({ colour: "red" }),
      place: doc({ city: "Bern", floor: null }),
    },
    { id: 2, title: "Tower" },
  ]);
  await knex("parcels").insert([
    { id: 1, area: "north", purpose: "field", permit_id: 1, position: 1, secret_note: "MARK" },
    { id: 2, area: "south", purpose: "wood", permit_id: 1, position: 2 },
    { id: 3, area: "other", permit_id: 2, position: 1 },
  ]);
  await knex("owners").insert([{ id: 1, name: "Ada", parcel_id: 1 }]);
  await knex("sites").insert([{ id: 1, street: "Main", permit_id: 1 }]);
  return app;
}

/** Requests of Ann, as JSON and as pages. */
export function asAnn(app: TestApp, user = "1") {
  const request = (path: string, init: RequestInit = {}) =>
    app.request(`/admin${path}`, { ...init, headers: { ...init.headers, "x-user": user } });
  const json = async (
    path: string,
    body?: object,
    method = body ? "POST" : "GET",
    more: Record<string, string> = {},
  ) => {
    const headers = { accept: "application/json", "content-type": "application/json", ...more };
    const answer = await request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    const read = JSON.parse(text || "{}");
    return { status: answer.status, body: read, errors: read.errors };
  };
  return { request, json, page: async (path: string) => (await request(path)).text() };
}
