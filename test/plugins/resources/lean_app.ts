import { shopFiles } from "../../support/shop.ts";

const model = (name: string, table: string, body: string) =>
  `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database"; void [belongsTo, hasMany, hasOne];
  export default class ${name} extends Model("${table}") { ${body} }`;
const policy = (name: string, body: string) =>
  `import { Policy, type PolicyContext } from "framewright/plugins/resources"; void (undefined as PolicyContext | undefined);
  export default class ${name}Policy extends Policy { override canRead() { return true; } ${body} }`;

const columns = ["title", "body", "position", "large", "ratio", "amount", "published", "due_on", "seen_at", "opens_at"];
const more = ["settings", "status", "price", "contact_email", "site_url", "owner", "maker", "watcher", "label_of_it"];
const shown = JSON.stringify([...columns, ...more]);

/** Models with columns of every type, labels and getters of their own, and policies that look at users and records. */
export const leanFiles: Record<string, string> = {
  "plugins.config.ts": shopFiles["plugins.config.ts"]!.replace(
    "export default definePlugins([",
    `import { definePlugin } from "framewright/kernel";
    const hiding = definePlugin({ name: "hiding", requires: ["resources"], apply({ hooks }) {
      hooks.resources.actions.tapPromise("hiding", async (shown) => {
        for (const record of shown.records) if ((record as unknown as { position: number }).position === 3) shown.hide("edit", record);
      });
      hooks.resources.fields.tap("hiding", (names, { constant }) => (constant === "Part" ? names.filter((name) => name !== "secret") : names));
    } });
    export default definePlugins([hiding, `,
  ),
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { DeskPortal } from "#packages/desk_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(DeskPortal, { at: "/desk" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("people", (t) => { t.id(); t.string("name"); t.string("email"); t.timestamps(); });
      await db.createTable("makers", (t) => { t.id(); t.string("name"); });
      await db.createTable("watchers", (t) => { t.id(); t.string("name"); });
      await db.createTable("items", (t) => {
        t.id(); t.string("title"); t.text("body"); t.integer("position"); t.bigint("large"); t.float("ratio"); t.decimal("amount", 12, 3);
        t.boolean("published"); t.date("due_on"); t.datetime("seen_at"); t.time("opens_at"); t.json("settings"); t.string("status");
        t.money("price"); t.string("contact_email"); t.string("site_url"); t.binary("picture"); t.string("secret_token");
        t.belongsTo("owner", { table: "people" }); t.belongsTo("maker", { table: "makers" }); t.belongsTo("watcher", { table: "watchers" }); t.timestamps();
      });
      await db.createTable("parts", (t) => { t.id(); t.string("label"); t.string("secret"); t.belongsTo("item", { null: false }); t.timestamps(); });
      await db.createTable("manuals", (t) => { t.id(); t.string("title"); t.belongsTo("item", { null: false, unique: true }); t.integer("lock_version").notNull().default(0); });
    }
    export async function down(db: Schema) { for (const name of ["manuals", "parts", "items", "watchers", "makers", "people"]) await db.dropTable(name); }`,
  "app/models/person.ts": model(
    "Person",
    "people",
    `static override associations = { items: hasMany({ foreignKey: "owner_id" }), parts: hasMany({ through: "items", source: "parts" }) };`,
  ),
  "app/models/maker.ts": model(
    "Maker",
    "makers",
    `override toLabel() { return "made by " + (this as { name?: string }).name; }`,
  ),
  "app/models/watcher.ts": model(
    "Watcher",
    "watchers",
    `override async $afterFind() { (this as Record<string, unknown>).name = "seen " + (this as { name?: string }).name; }`,
  ),
  "app/models/item.ts": model(
    "Item",
    "items",
    `static override associations = { owner: belongsTo({ class: "Person" }), maker: belongsTo(), watcher: belongsTo(), parts: hasMany(), manual: hasOne() };
    static override money = { price: "price_cents" }; static override enums = { status: ["draft", "in_review", "live"] };
    get label_of_it() { return "№ " + (this as unknown as { position: number | null }).position; }`,
  ),
  "app/models/part.ts": model("Part", "parts", `static override associations = { item: belongsTo() };`),
  "app/models/manual.ts": model("Manual", "manuals", `static override associations = { item: belongsTo() };`),
  "app/policies/item_policy.ts": policy(
    "Item",
    `override canCreate() { return (this.user as { role?: string } | undefined)?.role === "boss"; }
    override canShow() { return this.record?.title !== "Hidden"; }
    override canUpdate() { return (this.record as unknown as { status?: string } | undefined)?.status !== "live"; }
    override canDestroy() { return (this.record as unknown as { owner_id?: number } | undefined)?.owner_id === (this.user as { id?: number } | undefined)?.id; }
    canPolish() { return true; } canSign() { return true; }
    override relationScope(query: never) { const user = this.user as { role?: string } | undefined; return user?.role === "guest" ? (query as { where(...a: unknown[]): never }).where("published", true) : query; }
    override permittedAttributesForRead() { return ${shown}; }
    override permittedAttributesForShow() { return (this.record as unknown as { position?: number } | undefined)?.position === 2 ? ["title", "parts", "owner"] : ${shown}.concat(["picture", "created_at"]); }
    override permittedAttributesForIndex() { return (this.user as { role?: string } | undefined)?.role === "counter" ? ["title", "parts"] : ${shown}.concat(["created_at"]); }
    override permittedAssociations() { return ["parts", "manual"]; }`,
  ),
  "app/policies/person_policy.ts": policy(
    "Person",
    `readonly mine: boolean; constructor(context: PolicyContext) { super({ ...context }); this.mine = (this.record as unknown as { name?: string } | undefined)?.name === "Ada"; }
    override canShow() { return this.mine; } override canUpdate() { return this.mine; }
    override permittedAttributesForRead() { return ["name", "email", "created_at"]; } override permittedAssociations() { return ["items", "parts"]; }`,
  ),
  "app/policies/maker_policy.ts": policy("Maker", `override permittedAttributesForRead() { return ["name"]; }`),
  "app/policies/watcher_policy.ts": policy("Watcher", `override permittedAttributesForRead() { return ["name"]; }`),
  "app/policies/part_policy.ts": policy(
    "Part",
    `override canCreate() { return true; } override permittedAttributesForCreate() { return ["label", "secret", "item"]; }
    override canShow() { return this.parent === undefined || (this.parent as { id: number }).id === (this.record as unknown as { item_id?: number } | undefined)?.item_id || this.record === undefined; }`,
  ),
  "app/policies/manual_policy.ts": policy(
    "Manual",
    `override canCreate() { return true; } override permittedAttributesForCreate() { return ["title", "item"]; }`,
  ),
  "app/definitions/item_definition.ts": `import { contains, ResourceDefinition } from "framewright/plugins/resources"; import type Item from "../models/item.ts"; import SignItem from "../interactions/sign_item.ts";
    export default class ItemDefinition extends ResourceDefinition<Item> { override configure() { super.configure();
      this.display("status", { tones: { live: "success" } }); this.display("price", { currency: "EUR" }); this.column("body", { as: "string" }); this.display("site_url", { as: "url" });
      this.filter("status"); this.filter("owner"); this.filter("published"); this.filter("seen_at", { as: "date" }); this.scope("mine", { apply: (query) => query.whereNotNull("owner_id") });
      this.search((query, term) => contains(query as never, "title", term)); this.sort("position", { using: (query, direction) => query.orderByRaw("position is null, position " + direction) });
      this.action("polish", { label: "Polish it & shine", icon: "sparkles", path: "polish", condition: ({ record }) => (record as { body?: string } | undefined)?.body !== null });
      this.action("sign", { interaction: SignItem, icon: "send", confirmation: false, category: "primary", turboFrame: "signing" });
    } }`,
  "app/interactions/sign_item.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; export default class SignItem extends Interaction { async execute() { return succeed(this.record); } }`,
  "packages/desk_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const DeskPortal = definePortal("DeskPortal");`,
  "packages/desk_portal/config/routes.ts": `import { DeskPortal } from "../lib/engine.ts"; import Person from "#app/models/person.ts"; import Maker from "#app/models/maker.ts"; import Watcher from "#app/models/watcher.ts";
    import Item from "#app/models/item.ts"; import Part from "#app/models/part.ts"; import Manual from "#app/models/manual.ts";
    export default DeskPortal.routes.draw((routes) => { for (const model of [Person, Maker, Watcher, Item, Part, Manual]) routes.registerResource(model, {}, (r) => { if (model === Item) r.member((m) => m.get("polish", { action: (controller) => controller.head(204) })); }); });`,
  "packages/desk_portal/app/controllers/desk_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
    const find = async (request: { header(name: string): string | undefined }) => { const role = request.header("x-role"); return role === undefined ? undefined : { id: Number(request.header("x-id") ?? 0), role }; };
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess, CurrentUser(find as never, { guests: "admit" }));`,
  "packages/desk_portal/app/controllers/desk_portal/resource_controller.ts": `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
    export default class ResourceController extends (Controller(Base) as unknown as typeof Base) {}`,
};

const stamp = (day: number) =>
  `2026-${String((day % 12) + 1).padStart(2, "0")}-${String(day).padStart(2, "0")} 10:0${day % 6}:00.00${day % 10}`;
const nasty = `<b>"bold"</b> & 'more'`;

/** Rows of every kind: full ones, empty ones, odd ones. */
export const leanRows: Record<string, Record<string, unknown>[]> = {
  people: [
    { name: "Ada", email: "ada@x.test", created_at: stamp(1), updated_at: stamp(1) },
    { name: nasty, email: null, created_at: stamp(29), updated_at: stamp(2) },
    { name: "", email: "third@x.test", created_at: stamp(3), updated_at: stamp(3) },
    { name: null, email: null, created_at: stamp(4), updated_at: stamp(4) },
  ],
  makers: [{ name: "Smith" }, { name: nasty }],
  watchers: [{ name: "Hawk" }],
  items: Array.from({ length: 27 }, (_, at) => itemOf(at + 1)),
  parts: Array.from({ length: 9 }, (_, at) => ({
    label: at % 4 === 3 ? null : `Part ${at} ${nasty}`,
    secret: "marked",
    item_id: (at % 3) + 1,
    created_at: stamp(at + 1),
    updated_at: stamp(at + 1),
  })),
  manuals: [{ title: "How to", item_id: 1 }],
};

function itemOf(at: number): Record<string, unknown> {
  const stamps = { created_at: stamp((at % 28) + 1), updated_at: stamp((at % 28) + 1) };
  if (at % 5 === 0) return { status: "draft", ...stamps };
  return {
    title: at === 7 ? "Hidden" : at === 8 ? nasty : `Item ${at}`,
    body: at % 3 === 0 ? null : `${nasty}\n${"long ".repeat(at * 3)}`,
    position: at % 4,
    large: at * 1_000_000_007,
    ratio: at / 8,
    amount: `${at * 1111}.${at}05`.slice(0, 12),
    published: at % 2 === 0,
    due_on: `2026-0${(at % 9) + 1}-1${at % 10}`,
    seen_at: at % 6 === 0 ? null : stamp((at % 31) + 1 > 28 ? 28 : (at % 31) + 1),
    opens_at: "09:30:00",
    settings: JSON.stringify({ at, nasty, list: [1, null, { deep: true }] }),
    status: ["draft", "in_review", "live", "odd <one>"][at % 4],
    price_cents: at * -123_456,
    contact_email: "a&b@x.test",
    site_url: at % 2 === 0 ? "https://x.test/?a=1&b=2" : "javascript:alert(1)",
    picture: Buffer.from([at, 0, 255]),
    secret_token: "marked",
    owner_id: at % 7 === 0 ? null : (at % 4) + 1,
    maker_id: at % 3 === 0 ? null : (at % 2) + 1,
    watcher_id: at % 6 === 1 ? 1 : null,
    ...stamps,
  };
}
