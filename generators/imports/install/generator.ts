import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

/** The tables of jobs, of the runs that they work on, and of imports. */
const schemas = ["jobs/schema.liquid", "background_runs/schema.liquid", "imports/schema.liquid"];

export default defineGenerator({
  name: "fw:imports:install",
  summary: "Add what imports of files need: the plugins jobs and storage, and a migration for the tables",
  example: "fw generate fw:imports:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    addPlugins(changes, ["backgroundRuns", "imports", "jobs", "storage"]);
    const text = schemas.map((schema) => renderFile(join(codeDirectory, "plugins", schema), {})).join("");
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "") {
      const tables = tablesOf(snippets);
      const migration = newMigration(app, changes, `create_${tables.at(-1)}`);
      template(migration, "migration.ts", { snippets, dropped: tables.toReversed() });
    }
    note("\nNext:\n  npx fw db:migrate\n  canImport() in the policy of a list");
  },
});
