import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

/** A plugin that adds lines to the sidebar, as the body of its tap. */
export const withLines = (body: string) => ({
  "plugins.config.ts": edited(tenantFiles, "plugins.config.ts", [
    "  scoping(),",
    `  scoping(),
  definePlugin({ name: "lines", requires: ["portals"], apply({ hooks }) { hooks.portals.navigation.tap("lines", (items) => { ${body} }); } }),`,
  ]),
});
const defined = (name: string, group: string) => ({
  [`app/definitions/${name.toLowerCase()}_definition.ts`]: `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class ${name}Definition extends ResourceDefinition { override group = ${JSON.stringify(group)}; }`,
});

/** The customer portal of the tenants, with resources in two groups. */
export const grouped = {
  ...defined("Comment", "Content"),
  ...defined("Category", "Settings & more"),
  ...defined("Note", "Content"),
};
