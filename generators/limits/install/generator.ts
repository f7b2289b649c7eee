import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:limits:install",
  summary: "Count attempts for all processes together: the plugin limits, and a migration for its table",
  example: "fw generate fw:limits:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["limits"]);
    const text = renderFile(join(codeDirectory, "plugins/limits/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets === "") return note("The table of limits exists.");
    const tables = tablesOf(snippets);
    template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", {
      snippets,
      dropped: tables.toReversed(),
    });
    note("\nNext:\n  npx fw db:migrate");
  },
});
