import { join } from "node:path";
import { defineGenerator, type GeneratorContext } from "../../generator.ts";
import { createdTables, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:wizards:install",
  summary: "Add wizards: the plugins, and a migration for the tables of their runs",
  example: "fw generate fw:wizards:install",
  directory: import.meta.dirname,
  run(context) {
    addPlugins(context.changes, ["storage", "wizards"]);
    migrate(context);
    context.note("\nNext:\n  npx fw db:migrate\n  npx fw generate fw:wizard Onboard --steps=company,people");
  },
});

/** Writes a migration for the tables of runs, unless migrations create them already. */
function migrate({ app, changes, template }: GeneratorContext): void {
  const made = createdTables(app);
  const snippets = renderFile(join(codeDirectory, "plugins/wizards/schema.liquid"), {});
  const tables = tablesOf(snippets);
  if (tables.every((table) => made.has(table))) return;
  template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", {
    snippets,
    dropped: tables.toReversed(),
  });
}
