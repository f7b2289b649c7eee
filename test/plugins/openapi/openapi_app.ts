import type { OpenApiDocument } from "framewright/plugins/openapi";
import type { TestApp } from "../../support/apps.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
const config = ["storage", "attachments", "states", "openapi"].reduce(
  (text, name) => withPlugin(text, `${name}()`, name),
  withPlugin(
    withPlugin(tenantFiles["plugins.config.ts"]!, "nestedRecords()", "nested_records"),
    "extraFields()",
    "extra_fields",
  ),
);

/**
 * Two tenants with orders of every type of field: states, rows that are records and rows of a document, files, actions with
 * inputs. Cat (3) neither reads nor writes `internal_cost`; `remark` is shown to the author of an order alone.
 */
export const openapiFiles: Record<string, string> = {
  "plugins.config.ts": config,
  "db/migrate/20260401000000_create_framewright_attachments.ts": schemaMigration("attachments"),
  "db/migrate/20260402000000_create_orders.ts": `export async function up(db) {
  await db.createTable("orders", (t) => {
    t.id();
    t.string("reference", 40).notNull(); t.text("note"); t.string("remark"); t.string("status"); t.enum("kind", ["new", "repeat"]).notNull().default("new");
    t.integer("quantity").notNull().default(1); t.bigint("serial"); t.decimal("weight", 10, 3); t.float("ratio"); t.integer("fee_cents");
    t.decimal("internal_cost", 10, 2); t.boolean("urgent").notNull().default(false); t.date("due_on"); t.datetime("sent_at"); t.time("opens_at");
    t.json("extra"); t.json("labels"); t.json("address"); t.json("parcels"); t.string("contact_email"); t.string("website"); t.string("reason");
    t.belongsTo("organization", { null: false }); t.belongsTo("author", { table: "users" }); t.belongsTo("category");
    t.integer("lock_version").notNull().default(0);
    t.timestamps();
  });
  await db.createTable("order_lines", (t) => {
    t.id(); t.string("name").notNull(); t.integer("count"); t.decimal("price", 10, 2); t.belongsTo("order", { null: false });
  });
}
export async function down(db) { await db.dropTable("order_lines"); await db.dropTable("orders"); }
`,
  "app/models/order.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
import { states } from "framewright/plugins/states";
export default class Order extends Model("orders" as never) {
  static override associations = { organization: belongsTo(), author: belongsTo({ class: "User" }), category: belongsTo(), order_lines: hasMany({ dependent: "destroy" }) };
  static override money = { fee: "fee_cents" };
  static override validations = { reference: { presence: true, length: { maximum: 20 } }, quantity: { numericality: { greaterThan: 0, lessThanOrEqualTo: 1000 } } };
  static states = states("status", { draft: { submit: "submitted" }, submitted: { approve: "approved", reject: { to: "rejected", fields: { reason: { required: true } } } }, approved: {}, rejected: { submit: "submitted" } });
}`,
  "app/models/order_line.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class OrderLine extends Model("order_lines" as never) { static override associations = { order: belongsTo() }; }`,
  "app/policies/order_line_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class OrderLinePolicy extends Policy {
  override canRead() { return true; } override canCreate() { return true; }
  override permittedAttributesForCreate() { return ["name", "count", "price"]; }
}`,
  "app/policies/order_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class OrderPolicy extends Policy {
  get #id() { return (this.user as { id?: number } | undefined)?.id; }
  get #costs() { return this.#id === 3 ? [] : ["internal_cost"]; }
  get #written() { return ["reference", "note", "kind", "quantity", "serial", "weight", "ratio", "fee", ...this.#costs, "urgent", "due_on", "sent_at", "opens_at",
    "extra", "labels", "address", "parcels", "contact_email", "website", "author", "category", "order_lines", "document", "photos", "status"]; }
  override canRead() { return true; }
  override canCreate() { return this.user !== undefined; }
  override canDestroy() { return this.#id !== undefined; }
  canSubmit() { return true; } canApprove() { return true; } canReject() { return true; }
  canRemind() { return true; } canTidy() { return true; } canAudit() { return this.#id === 1; }
  override permittedAttributesForCreate() { return this.#written; }
  override permittedAttributesForRead() { return [...this.#written, "created_at", "updated_at"]; }
  override permittedAttributesForShow() { return [...this.permittedAttributesForRead(), ...((this.record as { author_id?: number } | undefined)?.author_id === this.#id ? ["remark"] : [])]; }
}`,
  "app/interactions/remind.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
import User from "#app/models/user.ts";
export default class Remind extends Interaction {
  static override presents = { label: "Remind", description: "Sends a reminder." };
  static override attributes = {
    message: { as: "text", required: true, length: { maximum: 50 } }, days: { as: "integer", default: 3, numericality: { greaterThan: 0 } }, on: { as: "date" },
    fee: { as: "money" }, channel: { as: "select", choices: ["mail", "post"], required: true }, to: { as: "association", model: User }, visits: { as: "repeated", fields: { at: { as: "datetime" }, text: { as: "string", required: true } } },
  };
  async execute() { return succeed().withMessage("Reminded"); }
}`,
  "app/interactions/tidy.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class Tidy extends Interaction { async execute() { return succeed(); } }`,
  "app/interactions/audit.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class Audit extends Interaction {
  static override download = true;
  static override attributes = { paper: { as: "file" } };
  async execute() { return succeed().withFile({ filename: "audit.txt", content: "All is well.", type: "text/plain" }); }
}`,
  "app/definitions/order_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import type {} from "framewright/plugins/attachments";
import Audit from "../interactions/audit.ts"; import Remind from "../interactions/remind.ts"; import Tidy from "../interactions/tidy.ts";
export default class OrderDefinition extends ResourceDefinition { override configure() {
  super.configure();
  this.file("document", { accept: [".pdf", ".txt"], maximum: 500_000, hint: "As it was signed." });
  this.files("photos", { accept: ["image/*"], most: 5 });
  this.input("labels" as never, { as: "tags" });
  this.input("address" as never, { as: "address" });
  this.repeated("parcels", { fields: { code: { as: "string", required: true }, weight: { as: "decimal" }, sent: { as: "boolean" } }, maximum: 5 });
  this.repeated("order_lines", { fields: ["name", "count", "price"] });
  this.input("website" as never, { as: "url", hint: "Where it was ordered." });
  this.filter("recent", { as: "date", apply: (query, value) => query.where("orders.created_at", ">", value) });
  this.filter("size", { inputs: { least: {}, most: {} }, apply: (query, { least }) => query.where("orders.quantity", ">=", Number(least ?? 0) || 0) });
  this.scope("urgent", { apply: (query) => query.where("orders.urgent", true) });
  this.sort("author" as never, { by: "name" });
  this.action("remind", { interaction: Remind });
  this.action("tidy", { interaction: Tidy, resourceAction: true });
  this.action("audit", { interaction: Audit });
} }`,
  [routes]: edited(
    tenantFiles,
    routes,
    [
      'import User from "#app/models/user.ts";',
      'import Order from "#app/models/order.ts";\nimport OrderLine from "#app/models/order_line.ts";\nimport User from "#app/models/user.ts";',
    ],
    ["Attachment, Category])", "Attachment, Category, Order, OrderLine])"],
  ),
};

export const as = (id: number) => ({ "x-user": String(id) });
export const DOCUMENT = "/customer/1/openapi.json";

export async function openOrders(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants({ ...openapiFiles, ...changes }, values);
  const { knex } = databaseOf(app.application);
  const order = (id: number, more: object) => ({
    id,
    reference: `R-${id}`,
    status: "draft",
    kind: "new",
    quantity: 2,
    urgent: false,
    lock_version: 0,
    organization_id: 1,
    author_id: 3,
    created_at: "2026-03-01 10:00:00.000",
    updated_at: "2026-03-01 10:00:00.000",
    ...more,
  });
  await knex("orders").insert(
    order(1, {
      fee_cents: 1250,
      weight: "1.500",
      due_on: "2026-03-01",
      sent_at: "2026-03-01 10:00:00.000",
      opens_at: "08:30:00",
      internal_cost: "9.99",
      remark: "Mine",
    }),
  );
  await knex("orders").insert(
    order(2, { status: "submitted", author_id: 1, serial: "9007199254740993", ratio: 0.5, urgent: true }),
  );
  await knex("orders").insert(order(3, { organization_id: 2 }));
  await knex("order_lines").insert([{ id: 1, name: "Screws", count: 3, price: "1.20", order_id: 1 }]);
  return app;
}

export async function documentOf(app: TestApp, id: number, path = DOCUMENT): Promise<OpenApiDocument> {
  const answer = await app.request(path, { headers: as(id) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as OpenApiDocument;
}
