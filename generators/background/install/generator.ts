import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

/** The tables of jobs, and of the runs that they work on. */
const schemas = ["jobs/schema.liquid", "background_runs/schema.liquid"];

export default defineGenerator({
  name: "fw:background:install",
  summary:
    "Add what interactions in the background need: the plugin jobs, and a migration for its table and that of runs",
  example: "fw generate fw:background:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["backgroundRuns", "jobs"]);
    const text = schemas.map((schema) => renderFile(join(codeDirectory, "plugins", schema), {})).join("");
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "") {
      const tables = tablesOf(snippets);
      const migration = newMigration(app, changes, `create_${tables.at(-1)}`);
      template(migration, "migration.ts", { snippets, dropped: tables.toReversed() });
    }
    note("\nNext:\n  npx fw db:migrate\n  static override inBackground = true; in an interaction");
  },
});
