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
