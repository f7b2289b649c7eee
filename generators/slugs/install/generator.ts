import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:slugs:install",
  summary: "Add the table of former slugs, so that old addresses of renamed records redirect to the new ones",
  example: "fw generate fw:slugs:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    const text = renderFile(join(codeDirectory, "plugins/database/slug_history/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "")
      template(newMigration(app, changes, "create_framewright_slugs"), "migration.ts", {
        snippets,
        dropped: tablesOf(snippets),
      });
    note('\nNext:\n  npx fw db:migrate\n  static override slug = { from: "title", history: true }; in a model');
  },
});
