import { join } from "node:path";
import { defineGenerator } from "../../generator.ts";
import type { Changes } from "../../support/changes.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { renderFile } from "../../support/template.ts";

export default defineGenerator({
  name: "fw:saved_views:install",
  summary: "Let people keep views of lists: a migration for their table",
  example: "fw generate fw:saved_views:install",
  directory: import.meta.dirname,
  run({ app, changes, template, note }) {
    const isSet = setOption(changes);
    const text = renderFile(join(codeDirectory, "plugins/resources/saved_views/schema.liquid"), {});
    const snippets = missingParts(text, createdTables(app)).join("");
    if (snippets !== "") {
      const tables = tablesOf(snippets);
      const dropped = tables.toReversed();
      template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", { snippets, dropped });
    }
    note(`\nNext:${isSet ? "" : "\n  resources({ savedViews: true }) in plugins.config.ts"}\n  npx fw db:migrate`);
  },
});

/** Sets the option of the plugin where it has none yet; false where that is for a person to do. */
function setOption(changes: Changes): boolean {
  const file = "plugins.config.ts";
  const text = changes.read(file) ?? "";
  if (/\bresources\(\)/.test(text))
    changes.edit(file, (now) => now.replace(/\bresources\(\)/, "resources({ savedViews: true })"));
  return /\bsavedViews: true\b/.test(changes.read(file) ?? "");
}
