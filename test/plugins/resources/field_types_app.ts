import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";

/** A type of a plugin that a third party wrote, and one that is stored in another form than JSON has. */
const colour = readFileSync(join(import.meta.dirname, "../../examples/fw-colour/src/index.ts"), "utf8");
const tags = `
  import { definePlugin } from "framewright/kernel";
  import { html } from "framewright/host";
  import { defineFieldType, inputBox } from "framewright/plugins/fields";
  declare module "framewright/plugins/fields" { interface FieldTypes { tags: string } }
  const joined = (tags: string[]) => tags.map((tag) => tag.trim()).sort().join(" ");
  const tags = defineFieldType<string>({
    input: inputBox("text", { "data-tags": true }),
    coerce: (text) => ({ value: joined(text.split(",")) }),
    coerceDocument: (given) => (Array.isArray(given) && given.every((tag) => typeof tag === "string") ? { value: joined(given) } : { problem: "errors.wrong_shape" }),
    validate: (value) => value.split(" ").length <= 3 || "errors.not_a_choice",
    display: (value) => html\`<i>\${value}</i>\`,
    json: (value) => value.split(" "),
    text: (value) => value.replaceAll(" ", ", "),
    filter: { apply: (query, column, value) => query.where(column, "like", "%" + value + "%") },
    numeric: true,
  });
  export default () => definePlugin({ name: "fw-tags", requires: ["resources"], apply: ({ services }) => services.resources.fieldTypes.add("tags", tags) });
`;

const config = (options: string) =>
  edited(
    wizardFiles,
    "plugins.config.ts",
    ["export default", 'import { colour } from "./lib/colour.ts";\nimport tags from "./lib/tags.ts";\nexport default'],
    ["resources(),", `resources(), colour(${options}), tags(),`],
  );

const definition = `
  import { ResourceDefinition } from "framewright/plugins/resources";
  import type Post from "#app/models/post.ts";
  import Paint from "#app/interactions/paint.ts";
  export default class PostDefinition extends ResourceDefinition<Post> {
    override configure() {
      super.configure();
      this.field("tint", { as: "colour" });
      this.input("labels", { as: "tags" });
      this.filter("tint");
      this.filter("labels", { as: "tags", label: "Labelled" });
      this.filter("title", { as: "text" });
      this.action("paint", { interaction: Paint });
    }
  }`;
const paint = `
  import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
  const attributes = { tint: { as: "colour", required: true }, labels: { as: "tags", default: "b,a" } } as const satisfies InteractionAttributes;
  export default class Paint extends Interaction<never, InteractionValues<typeof attributes>> {
    static override attributes = attributes;
    async execute() { return succeed().withMessage(JSON.stringify(this.values)); }
  }`;

const wizard = wizardFile("TintWizard", "", {
  steps: `.step("paint", {}, (f) => f.field("tint", { as: "colour", presence: true }).field("labels", { as: "tags" }).repeated("more", {}, (g) => g.field("tint", { as: "colour" }))).review()`,
  body: "async execute() { return succeed().withMessage(JSON.stringify(this.data)); }",
});

const columns = `import type { Schema } from "framewright/plugins/database";
  export async function up(db: Schema) { await db.addColumns("posts", (t) => { t.string("tint", 7); t.string("labels"); }); }
  export async function down(): Promise<void> {}`;

/** Posts with a colour and with tags, in a portal: in forms, lists, filters, JSON, an action and a wizard. */
export const fieldTypeFiles = (options = '{ palette: ["#aabbcc", "#112233"] }'): Record<string, string> => ({
  "lib/colour.ts": colour,
  "lib/tags.ts": tags,
  "plugins.config.ts": config(options),
  "app/definitions/post_definition.ts": definition,
  "app/interactions/paint.ts": paint,
  "app/wizards/tint_wizard.ts": wizard,
  "db/migrate/20260101000002_add_tint.ts": columns,
  "app/policies/post_policy.ts": edited(
    wizardFiles,
    "app/policies/post_policy.ts",
    [/return \["title"\];/g, 'return ["title", "tint", "labels"] as never;'],
    ["canConfigure()", "canPaint() { return true; }\n  canConfigure()"],
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    'routes.registerWizard(TintWizard, { at: "tint" });',
    'import TintWizard from "#app/wizards/tint_wizard.ts";',
  ),
});

export const openFieldTypes = (
  values: Record<string, string> = {},
  changes: Record<string, string> = {},
): Promise<TestApp> => openWizards({ ...fieldTypeFiles(), ...changes }, values);
