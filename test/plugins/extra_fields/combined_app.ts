import { edited, withPlugin } from "../../support/fixtures.ts";
import { wizardFiles } from "../wizards/mounts_support.ts";

export const definition = (options = "", more = "") => `
    import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/extra_fields";
    import type Post from "#app/models/post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        this.combined("stay", { as: "period", columns: { from: "starts_on", to: "ends_on" } as never });
        this.combined("home", { as: "address", columns: { street: "street", postcode: "zip", city: "city", country: "land" } as never ${options} });
        this.combined("fee", { as: "amount", columns: { amount: "fee_amount", currency: "fee_currency" } as never });
        ${more}
      }
    }`;
const all = '["title", "stay", "home", "fee"]';
export const combinedFiles: Record<string, string> = {
  "plugins.config.ts": withPlugin(
    edited(wizardFiles, "plugins.config.ts", ["i18n()", 'i18n({ locales: ["en", "de"] })']),
    "extraFields()",
    "extra_fields",
  ),
  "app/policies/post_policy.ts": edited(
    wizardFiles,
    "app/policies/post_policy.ts",
    [
      /return \["title"\];/g,
      `const id = (this.user as { id: number } | undefined)?.id;
       return (id === 2 || (id === 8 && isList) ? ["title"] : id === 7 ? ["title", "ends_on", "city"] : ${all}) as never;`,
    ],
    [
      "canConfigure()",
      `canExport() { return true; }
       override permittedAttributesForIndex() { return this.permittedAttributesForRead(true); }
       canConfigure()`,
    ],
    ["permittedAttributesForRead()", "permittedAttributesForRead(isList = false)"],
  ),
  "app/definitions/post_definition.ts": definition(', sort: "city"', 'this.search(["city"]);'),
  "db/migrate/20260101000002_add_parts.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.addColumns("posts", (t) => {
        t.date("starts_on"); t.date("ends_on");
        t.string("street"); t.string("zip", 10); t.string("city"); t.string("land", 2);
        t.decimal("fee_amount", 19, 4); t.string("fee_currency", 3).default("CHF");
      });
    }
    export async function down(): Promise<void> {}`,
};
const address = (street: string, zip: string, city: string, land: string) => ({ street, zip, city, land });
export const combinedRows = [
  {
    id: 1,
    title: "A",
    starts_on: "2026-07-01",
    ends_on: "2026-07-05",
    ...address("Am Markt 1", "01234", "Neustadt", "DE"),
    fee_amount: "12.5",
    fee_currency: "EUR",
  },
  {
    id: 2,
    title: "B",
    starts_on: "2026-07-04",
    ends_on: null,
    ...address("Via Neu 7", "00100", "Rome", "IT"),
    fee_amount: "7",
    fee_currency: "JPY",
  },
  {
    id: 4,
    title: "C",
    starts_on: null,
    ends_on: "2026-06-30",
    ...address("50% Lane", "9000", "Ghent", "BE"),
    fee_amount: "120",
    fee_currency: "EUR",
  },
  { id: 5, title: "D", starts_on: null, ends_on: null, fee_amount: null, fee_currency: "CHF" },
  { id: 6, title: "E", starts_on: "2026-07-01", ends_on: "2026-07-03", fee_amount: "12.5", fee_currency: "CHF" },
];
