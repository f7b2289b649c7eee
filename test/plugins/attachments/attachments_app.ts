import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attachments } from "framewright/plugins/attachments";
import type { TestApp } from "../../support/apps.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const schemaOf = (plugin: string) =>
  readFileSync(join(import.meta.dirname, `../../../plugins/${plugin}/schema.liquid`), "utf8");
/** The migration of a plugin's tables. */
export const schemaMigration = (plugin: string): string => {
  const schema = schemaOf(plugin);
  const tables = [...schema.matchAll(/createTable\("(\w+)"/g)].map(([, table]) => `await db.dropTable("${table}");`);
  return `export async function up(db) {\n${schema}}\nexport async function down(db) { ${tables.join(" ")} }\n`;
};

const policy = "app/policies/shipment_policy.ts";
const config = withPlugin(
  withPlugin(tenantFiles["plugins.config.ts"]!, "undo()", "undo"),
  "attachments({ perRecord: 2_000_000 })",
  "attachments",
);
const storageToo = config.includes("storage()") ? config : withPlugin(config, "storage()", "storage");
/** What a test adds to the list of plugins. */
export const configWith = (call: string, folder: string): string => withPlugin(storageToo, call, folder);

/** Shipments with a plan, photos and a cover, in two tenants; Dan sees no photos, and nobody the plan of a hidden one. */
export const attachmentFiles: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": storageToo,
  "db/migrate/20260401000000_create_framewright_attachments.ts": schemaMigration("attachments"),
  "db/migrate/20260401000001_create_framewright_deletions.ts": schemaMigration("undo"),
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import type {} from "framewright/plugins/attachments";
export default class ShipmentDefinition extends ResourceDefinition { override configure() {
  super.configure();
  this.file("plan", { accept: [".pdf", ".txt"], maximum: 500_000, hint: "As the depot has it." });
  this.files("photos", { accept: ["image/*"], most: 5, label: "Photos" });
  this.image("cover");
  this.files("papers", { most: 9 });
  this.action("duplicate");
} }`,
  [policy]: edited(
    wideFiles,
    policy,
    [
      "override permittedAttributesForCreate() { return [",
      'override canExport() { return true; }\n  get own() { return (this.user as { id: number }).id === 4 ? ["plan"] : ["plan", "photos", "cover", "papers"]; }\n  override permittedAttributesForCreate() { return [...this.own, ',
    ],
    [
      "override permittedAttributesForRead() { return [",
      "override permittedAttributesForRead() { return [...this.own, ",
    ],
  ),
};

export const list = "/customer/1/shipments";
export const as = (id: number) => ({ "x-user": String(id) });
export const [ann, bob, cat, dan] = [as(1), as(2), as(3), as(4)] as const;

export async function openAttachments(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants({ ...attachmentFiles, ...changes }, values);
  const { knex } = databaseOf(app.application);
  await knex("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
  return app;
}
export const serviceOf = (app: TestApp): Attachments => app.application.kernel.service("attachments");

const fixtures = join(import.meta.dirname, "fixtures");
export const bytesOf = (name: string): Buffer => readFileSync(join(fixtures, name));
export const upload = (bytes: string | Buffer, name: string, type = "application/octet-stream") =>
  new File([bytes as never], name, { type });

export type Sent = readonly (readonly [name: string, value: string | File])[];

/** Sends the form of a page as a browser does: what it holds, but for files, and then what is filled in. */
export async function sendForm(
  client: Client,
  { page, html, headers }: { page: string; html?: string; headers: Record<string, string> },
  fields: Sent,
): Promise<Response> {
  const text = html ?? (await (await client.request(page, { headers })).text());
  const body = new FormData();
  const given = new Set(fields.map(([name]) => name));
  for (const [name, value] of Object.entries(fieldsOf(text))) if (!given.has(name)) body.append(name, value);
  for (const [name, value] of fields) body.append(name, value);
  const action = /<form(?=[^>]*class="fw-form")[^>]*action="([^"]*)"/.exec(text)![1]!;
  return client.request(action, { method: "POST", body, headers });
}
