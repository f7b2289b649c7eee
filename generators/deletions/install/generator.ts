import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:deletions:install",
  summary: "Let people undo deletions: a migration for the table of what they deleted",
  example: "fw generate fw:deletions:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["undo"]);
    const text = renderFile(join(codeDirectory, "plugins/undo/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "") {
      const tables = tablesOf(snippets);
      const dropped = tables.toReversed();
      template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", { snippets, dropped });
    }
    note("\nNext:\n  npx fw db:migrate");
  },
});
