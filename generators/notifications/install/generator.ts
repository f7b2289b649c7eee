import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:notifications:install",
  summary: "Notify people in their portals: the plugin notifications, and a migration for its table",
  example: "fw generate fw:notifications:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["notifications"]);
    const text = renderFile(join(codeDirectory, "plugins/notifications/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets === "") return note("The table of notifications exists.");
    const tables = tablesOf(snippets);
    const dropped = tables.toReversed();
    template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", { snippets, dropped });
    note("\nNext:\n  npx fw db:migrate");
  },
});
