import { shopFiles } from "../../support/shop.ts";

const model = (name: string, table: string, body: string) =>
  `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; void [belongsTo, hasMany];
  export default class ${name} extends Model("${table}") { ${body} }`;
const policy = (name: string, body: string) =>
  `import { Policy } from "framewright/plugins/resources";
  export default class ${name}Policy extends Policy { override canRead() { return true; } override canCreate() { return true; } ${body} }`;

/** Marks the address of a record; of an action on it or of a list nothing. */
const markUrl = (method: string) =>
  `override ${method}(subject: never, options?: never) { const url = super.${method}(subject, options); const { action = "show" } = (options ?? {}) as { action?: string }; return typeof subject === "function" || action !== "show" ? url : url + "-own"; }`;

/** A controller's methods that an application may override, each by a body whose effect is seen over HTTP. */
export const overrides: Record<string, string> = {
  nothing: "",
  policyFor: `override policyFor(record?: never) { const policy = super.policyFor(record); policy.canUpdate = () => (record as { title?: string } | undefined)?.title !== "Second"; return policy; }`,
  authorizeAction: `override async authorizeAction(action: string, record?: never, otherwise?: string) { if ((record as { title?: string } | undefined)?.title === "Second") throw notFound(); return super.authorizeAction(action, record, otherwise); }`,
  listOf: `override listOf(list: never, record?: never) { return super.listOf(list, record).filter((name) => name !== "body"); }`,
  visibleRecords: `override visibleRecords(transaction?: never) { const query = super.visibleRecords(transaction); return this.registration.constant === "Item" ? query.whereNot("items.title", "Second") : query; }`,
  findRecord: `override async findRecord(names?: never, transaction?: never) { return Object.assign(await super.findRecord(names, transaction), { title: "Overridden" }); }`,
  found: `override found(record: never) { return Object.assign(super.found(record), { title: "Overridden" }); }`,
  labelled: `override async labelled(record: never, names: never) { return Object.assign(await super.labelled(record, names), { title: "Overridden" }); }`,
  singularRecord: `override async singularRecord(query: never) { return Object.assign(await super.singularRecord(query), { title: "Overridden" }); }`,
  onlyOne: `override async onlyOne(query: never, registration: never) { return Object.assign(await super.onlyOne(query, registration), { title: "Overridden" }); }`,
  loadedFor: `override loadedFor(names: readonly string[]) { const loaded = super.loadedFor(names); return this.request.header("x-load") ? [...loaded, this.request.header("x-load")!] : loaded; }`,
  graphOf: `override graphOf(names: readonly string[]) { return super.graphOf([...names, "owner"]); }`,
  resourceUrlFor: markUrl("resourceUrlFor"),
  urlFor: markUrl("urlFor"),
  recordJson: `override recordJson(record: never, names?: never) { return { ...super.recordJson(record, names), own: true }; }`,
  answerRecord: `override answerRecord(record: never, status?: number) { const reply = super.answerRecord(record, status); reply.headers["x-own"] = "yes"; return reply; }`,
  t: `override t(key: string, vars?: Record<string, unknown>) { const language = this.request.header("x-language"); return language ? language + ":" + key : super.t(key, vars); }`,
};

const folder = (key: string) => `${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_portal`;
const constantOf = (key: string) => `${key[0]!.toUpperCase()}${key.slice(1)}Portal`;

function portalFiles([key, body]: [string, string]): [string, string][] {
  const [at, constant] = [`packages/${folder(key)}`, constantOf(key)];
  return [
    [
      `${at}/lib/engine.ts`,
      `import { definePortal } from "framewright/plugins/portals"; export const ${constant} = definePortal("${constant}");`,
    ],
    [
      `${at}/config/routes.ts`,
      `import { ${constant} } from "../lib/engine.ts"; import Person from "#app/models/person.ts"; import Item from "#app/models/item.ts"; import Setting from "#app/models/setting.ts";
      export default ${constant}.routes.draw((routes) => { routes.registerResource(Person); routes.registerResource(Item); routes.registerResource(Setting, { singular: true }); });`,
    ],
    [
      `${at}/app/controllers/${folder(key)}/resource_controller.ts`,
      `import { concern } from "framewright"; import { notFound } from "framewright/host"; import { CurrentUser, PortalController } from "framewright/plugins/portals"; import { ResourceController as Base } from "framewright/plugins/resources"; void notFound;
      export default class ResourceController extends (concern(Base, PortalController, CurrentUser(async () => ({ name: "Somebody" }))) as unknown as typeof Base) { ${body} }`,
    ],
  ];
}

/** The path at which the portal stands whose controller overrides a method. */
export const mountOf = (key: string): string => `/${key.toLowerCase()}`;

/** One application with a portal for each override. */
export const overridesFiles: Record<string, string> = {
  "plugins.config.ts": shopFiles["plugins.config.ts"]!,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    ${Object.keys(overrides)
      .map((key) => `import { ${constantOf(key)} } from "#packages/${folder(key)}/lib/engine.ts";`)
      .join("\n")}
    export default drawRoutes((routes) => { ${Object.keys(overrides)
      .map((key) => `routes.mount(${constantOf(key)}, { at: "${mountOf(key)}" });`)
      .join(" ")} });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("people", (t) => { t.id(); t.string("name"); });
      await db.createTable("items", (t) => { t.id(); t.string("title"); t.string("body"); t.boolean("open"); t.belongsTo("owner", { table: "people" }); t.belongsTo("maker", { table: "people" }); });
      await db.createTable("settings", (t) => { t.id(); t.string("title"); });
    }
    export async function down(db: Schema) { for (const name of ["settings", "items", "people"]) await db.dropTable(name); }`,
  "config/locales/en.json": JSON.stringify({ resource: { actions: { edit: "Change" } } }),
  "app/models/person.ts": model(
    "Person",
    "people",
    `static override associations = { items: hasMany({ foreignKey: "owner_id" }) };`,
  ),
  "app/models/item.ts": model(
    "Item",
    "items",
    `static override associations = { owner: belongsTo({ class: "Person" }), maker: belongsTo({ class: "Person" }) };
    get owner_name() { return (this as unknown as { owner?: { name: string } }).owner?.name ?? "not loaded"; }`,
  ),
  "app/models/setting.ts": model("Setting", "settings", ""),
  "app/policies/person_policy.ts": policy(
    "Person",
    `override permittedAttributesForCreate() { return ["name"]; } override permittedAssociations() { return ["items"]; }`,
  ),
  "app/policies/item_policy.ts": policy(
    "Item",
    `override permittedAttributesForCreate() { return ["title", "body", "open", "owner", "maker"]; }
    override permittedAttributesForRead() { return ["title", "body", "open", "maker", "owner_name"]; }`,
  ),
  "app/policies/setting_policy.ts": policy("Setting", `override permittedAttributesForCreate() { return ["title"]; }`),
  ...Object.fromEntries(Object.entries(overrides).flatMap(portalFiles)),
};
