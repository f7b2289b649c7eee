import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:jobs:install",
  summary: "Add what background work needs: the plugin jobs, and a migration for those of its tables that are missing",
  example: "fw generate fw:jobs:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["jobs"]);
    const text = renderFile(join(codeDirectory, "plugins/jobs/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets === "") return note("The tables of jobs are complete.");
    const tables = tablesOf(snippets);
    template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", {
      snippets,
      dropped: tables.toReversed(),
    });
    note("\nNext:\n  npx fw db:migrate");
  },
});
