import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { deletionFiles } from "./deletions_app.ts";
import { importFiles } from "./import_app.ts";

// Two tenants with depots, vehicles and trips, which refer to each other by several columns; and orders and their lines, whose
// keys begin with that of the tenant. One of the depots and one of the orders of each tenant is hidden from everybody.

const routes = "packages/customer_portal/config/routes.ts";
const deletions = "db/migrate/20260401000000_create_framewright_deletions.ts";

interface Names {
  create: readonly string[];
  read: readonly string[];
  update?: readonly string[];
  more?: string;
}
const policy = (name: string, { create, read, update = create, more = "" }: Names) =>
  `import { Policy } from "framewright/plugins/resources";
export default class ${name}Policy extends Policy {
  override canCreate() { return true; } override canRead() { return true; } override canUpdate() { return true; } override canDestroy() { return true; }
  override canExport() { return true; } override canImport() { return true; }
  override permittedAttributesForCreate() { return ${JSON.stringify(create)} as never[]; }
  override permittedAttributesForUpdate() { return ${JSON.stringify(update)} as never[]; }
  override permittedAttributesForRead() { return ${JSON.stringify(read)} as never[]; }
  ${more}
}`;
const definition = (name: string, body: string) =>
  `import { ResourceDefinition } from "framewright/plugins/resources";
export default class ${name}Definition extends ResourceDefinition { override configure() { super.configure(); ${body} } }`;
const model = (table: string, name: string, body: string) =>
  `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database";
export default class ${name} extends Model("${table}" as never) { ${body} }
export { belongsTo, hasMany, hasOne };`;
const hides = (table: string) =>
  `override relationScope(query: any) { return query.where("${table}.secret", false).orWhereNull("${table}.secret"); }`;

export const fleetFiles: Record<string, string> = {
  ...importFiles,
  [deletions]: deletionFiles[deletions]!,
  "plugins.config.ts": edited(
    importFiles,
    "plugins.config.ts",
    ["import { i18n }", 'import { undo } from "framewright/plugins/undo";\nimport { i18n }'],
    ["  imports(),", "  imports(),\n  undo(),"],
  ),
  "db/migrate/20260501000000_create_fleet.ts": `export async function up({ knex }) {
    const key = (t, name = "organization_id") => t.bigInteger(name).unsigned();
    await knex.schema.createTable("depots", (t) => {
      t.string("region", 20).notNullable(); t.integer("code").notNullable(); t.string("name", 40); t.string("phone_secret", 40); t.boolean("secret").defaultTo(false);
      key(t).notNullable(); t.primary(["region", "code"]);
    });
    await knex.schema.createTable("vehicles", (t) => {
      t.string("region", 20).notNullable(); t.integer("code").notNullable(); t.integer("number").notNullable(); t.string("name", 40);
      t.primary(["region", "code", "number"]);
      t.foreign(["region", "code"]).references(["region", "code"]).inTable("depots").onDelete("cascade");
    });
    await knex.schema.createTable("trips", (t) => {
      t.increments("id"); t.string("title", 40); t.string("region", 20); t.integer("code"); t.integer("number"); t.integer("home_code"); key(t).notNullable();
      t.foreign(["region", "code", "number"]).references(["region", "code", "number"]).inTable("vehicles").onDelete("set null");
    });
    await knex.schema.createTable("sales", (t) => {
      key(t).notNullable(); t.integer("sale_no").notNullable(); t.string("name", 40); t.boolean("secret").defaultTo(false); t.primary(["organization_id", "sale_no"]);
    });
    await knex.schema.createTable("sale_lines", (t) => {
      t.increments("id"); t.string("title", 40); key(t).notNullable(); t.integer("sale_no");
      t.foreign(["organization_id", "sale_no"]).references(["organization_id", "sale_no"]).inTable("sales");
    });
  }
  export async function down() {}`,
  "app/models/depot.ts": model(
    "depots",
    "Depot",
    `static override idColumn = ["region", "code"];
     static override associations = {
       organization: belongsTo(),
       vehicles: hasMany({ foreignKey: ["region", "code"] }),
       trips: hasMany({ through: "vehicles" }),
     };`,
  ),
  "app/models/vehicle.ts": model(
    "vehicles",
    "Vehicle",
    `static override idColumn = ["region", "code", "number"];
     static override associations = {
       depot: belongsTo({ foreignKey: ["region", "code"] }),
       trips: hasMany({ foreignKey: ["region", "code", "number"] }),
     };`,
  ),
  "app/models/trip.ts": model(
    "trips",
    "Trip",
    `static override associations = {
       organization: belongsTo(),
       vehicle: belongsTo({ foreignKey: ["region", "code", "number"] }),
       home: belongsTo({ class: "Depot", foreignKey: ["region", "home_code"] }),
     };`,
  ),
  "app/models/sale.ts": model(
    "sales",
    "Sale",
    `static override idColumn = ["organization_id", "sale_no"];
     static override associations = { organization: belongsTo(), lines: hasMany({ class: "SaleLine", foreignKey: ["organization_id", "sale_no"] }) };`,
  ),
  "app/models/sale_line.ts": model(
    "sale_lines",
    "SaleLine",
    'static override associations = { organization: belongsTo(), sale: belongsTo({ foreignKey: ["organization_id", "sale_no"] }) };',
  ),
  "app/policies/depot_policy.ts": policy("Depot", {
    create: ["region", "code", "name"],
    update: ["name"],
    read: ["region", "code", "name"],
    more: `${hides("depots")} override permittedAssociations() { return ["vehicles", "trips"] as never[]; }`,
  }),
  "app/policies/vehicle_policy.ts": policy("Vehicle", {
    create: ["depot", "number", "name"],
    update: ["depot", "name"],
    read: ["depot", "number", "name"],
    more: 'override permittedAssociations() { return ["trips"] as never[]; }',
  }),
  "app/policies/trip_policy.ts": policy("Trip", {
    create: ["title", "vehicle", "home"],
    read: ["title", "vehicle", "home"],
  }),
  "app/policies/sale_policy.ts": policy("Sale", {
    create: ["sale_no", "name"],
    update: ["name"],
    read: ["sale_no", "name"],
    more: `${hides("sales")} override permittedAssociations() { return ["lines"] as never[]; }`,
  }),
  "app/policies/sale_line_policy.ts": policy("SaleLine", { create: ["title", "sale"], read: ["title", "sale"] }),
  "app/definitions/trip_definition.ts": definition(
    "Trip",
    'this.filter("vehicle"); this.sort("vehicle", { by: "name" }); this.action("duplicate"); this.column("vehicle", { edit: true });',
  ),
  "app/definitions/vehicle_definition.ts": definition(
    "Vehicle",
    'this.filter("depot"); this.sort("depot", { by: "name" });',
  ),
  "app/definitions/depot_definition.ts": definition(
    "Depot",
    'this.search((query: any, term: string) => query.where("name", "like", term + "%"));',
  ),
  "app/definitions/sale_definition.ts": definition("Sale", ""),
  "app/definitions/sale_line_definition.ts": definition("SaleLine", 'this.filter("sale");'),
  [routes]: edited(
    importFiles,
    routes,
    [
      'import User from "#app/models/user.ts";',
      ["Depot", "Vehicle", "Trip", "Sale", "SaleLine"]
        .map(
          (name) => `import ${name} from "#app/models/${name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase()}.ts";\n`,
        )
        .join("")
        .concat('import User from "#app/models/user.ts";'),
    ],
    ["Category, Shipment]", "Category, Shipment, Depot, Vehicle, Trip, Sale, SaleLine]"],
  ),
};

export async function openFleet(
  values: Record<string, string>,
  changes: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants({ ...fleetFiles, ...changes }, values);
  await fillFleet(app);
  return app;
}

export async function fillFleet(app: TestApp): Promise<void> {
  const { knex } = databaseOf(app.application);
  for (const table of ["sale_lines", "sales", "trips", "vehicles", "depots"]) await knex(table).delete();
  await knex("depots").insert([
    { region: "no~rd", code: 1, name: "Harbour", organization_id: 1, secret: false },
    { region: "no~rd", code: 2, name: "Airport", organization_id: 1, secret: false },
    { region: "south", code: 1, name: "Alpine bunker", organization_id: 1, secret: true },
    { region: "south", code: 2, name: "Baltic yard", organization_id: 2, secret: false },
  ]);
  await knex("vehicles").insert([
    { region: "no~rd", code: 1, number: 7, name: "Truck" },
    { region: "no~rd", code: 2, number: 7, name: "Van" },
    { region: "south", code: 1, number: 9, name: "Unmarked" },
    { region: "south", code: 2, number: 7, name: "Baltic truck" },
  ]);
  await knex("trips").insert([
    { id: 1, title: "Milk", region: "no~rd", code: 1, number: 7, home_code: 2, organization_id: 1 },
    { id: 2, title: "Post", region: "no~rd", code: 2, number: 7, organization_id: 1 },
    { id: 3, title: "Nowhere", organization_id: 1 },
    { id: 4, title: "Baltic trip", region: "south", code: 2, number: 7, organization_id: 2 },
    { id: 5, title: "Night", region: "south", code: 1, number: 9, home_code: 1, organization_id: 1 },
  ]);
  await knex("sales").insert([
    { organization_id: 1, sale_no: 1, name: "First", secret: false },
    { organization_id: 1, sale_no: 2, name: "Hidden sale", secret: true },
    { organization_id: 2, sale_no: 3, name: "Baltic sale", secret: false },
  ]);
  await knex("sale_lines").insert([
    { id: 1, title: "Apples", organization_id: 1, sale_no: 1 },
    { id: 2, title: "Pears", organization_id: 1, sale_no: 2 },
    { id: 3, title: "Loose", organization_id: 1, sale_no: null },
    { id: 4, title: "Baltic line", organization_id: 2, sale_no: 3 },
  ]);
}
