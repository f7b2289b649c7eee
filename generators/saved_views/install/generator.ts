import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:saved_views:install",
  summary: "Let people keep views of lists: a migration for their table",
  example: "fw generate fw:saved_views:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["savedViews"]);
    const text = renderFile(join(codeDirectory, "plugins/saved_views/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "") {
      const tables = tablesOf(snippets);
      const dropped = tables.toReversed();
      template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", { snippets, dropped });
    }
    note("\nNext:\n  npx fw db:migrate");
  },
});
