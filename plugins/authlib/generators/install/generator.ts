import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineGenerator, type GeneratorContext } from "framewright/generators";
import {
  addPlugins,
  codeDirectory,
  createdTables,
  errors,
  missingParts,
  newMigration,
  renderFile,
  tablesOf,
} from "../../../../generators/toolkit/index.ts";

const baseController = "app/controllers/base_controller.ts";
const ofFramework = (path: string) => join(codeDirectory, "plugins", path);

export default defineGenerator({
  name: "fw:authlib:install",
  summary: "Add accounts: plugins, shared base classes and tables, the layout of account pages, jobs for mails",
  example: "fw generate fw:authlib:install",
  directory: import.meta.dirname,
  run(context) {
    const { changes, template, note } = context;
    if (!changes.exists(baseController)) throw errors.FW_FILE_MISSING(baseController);
    addPlugins(changes, ["limits", "jobs", "mailer", "passwords", "authlib"]);
    if (!changes.exists("app/authlib/authlib_app.ts")) template("app/authlib/authlib_app.ts", "authlib_app.ts"); // generators add account types to it
    template("app/authlib/authlib_plugin.ts", "authlib_plugin.ts");
    template("app/controllers/authlib_controller.ts", "authlib_controller.ts");
    changes.create("app/views/layouts/authlib.liquid", standardLayout());
    migrate(context);
    note("The database needs no extension, such as citext: logins are found in whatever case they are typed.");
    note("\nNext:\n  npx fw generate fw:authlib:account user\n  npx fw generate fw:authlib:admin");
  },
});

/** The layout without a sidebar, copied for the application to edit. */
const standardLayout = () => readFileSync(ofFramework("layout/views/layouts/basic.liquid"), "utf8");

/** The tables that all account types share. */
export const sharedTables = (): string =>
  ["jobs", "limits", "authlib"].map((plugin) => renderFile(ofFramework(`${plugin}/schema.liquid`), {})).join("");

/** Writes a migration for the shared tables (jobs, limits, pending forms) that no migration creates yet. */
function migrate({ app, changes, template }: GeneratorContext): void {
  const snippets = missingParts(sharedTables(), createdTables(app)).join("");
  if (snippets === "") return;
  const tables = tablesOf(snippets);
  template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", {
    snippets,
    dropped: tables.toReversed(),
  });
}
