import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../../errors.ts";
import { defineGenerator, type GeneratorContext } from "../../generator.ts";
import { missingParts, newMigration, tablesMade, tablesOf } from "../../support/migrations.ts";
import { codeDirectory } from "../../support/package.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { renderFile } from "../../support/template.ts";

const baseController = "app/controllers/base_controller.ts";
const ofFramework = (path: string) => join(codeDirectory, "plugins", path);

export default defineGenerator({
  name: "fw:authlib:install",
  summary: "Add accounts: the plugins, what all account types share, the layout of their pages, jobs for their mails",
  example: "fw generate fw:authlib:install",
  directory: import.meta.dirname,
  run(context) {
    const { changes, template, note } = context;
    if (!changes.exists(baseController)) throw errors.FW_FILE_MISSING(baseController);
    addPlugins(changes, ["jobs", "mailer", "passwords", "authlib"]);
    if (!changes.exists("app/authlib/authlib_app.ts")) template("app/authlib/authlib_app.ts", "authlib_app.ts"); // it grows
    template("app/authlib/authlib_plugin.ts", "authlib_plugin.ts");
    template("app/controllers/authlib_controller.ts", "authlib_controller.ts");
    changes.create("app/views/layouts/authlib.liquid", standardLayout());
    migrate(context);
    note("\nNext:\n  npx fw generate fw:authlib:account user\n  npx fw generate fw:authlib:admin");
  },
});

/** The plain shell, without a sidebar; being in the application's own views, it is the application's to change. */
const standardLayout = () => readFileSync(ofFramework("layout/views/layouts/basic.liquid"), "utf8");

/** The tables that all account types share. */
export const sharedTables = (): string =>
  ["jobs", "authlib"].map((plugin) => renderFile(ofFramework(`${plugin}/schema.liquid`), {})).join("");

/** The tables of the jobs and of the forms that wait for a sign-in, as far as no migration makes them. */
function migrate({ app, changes, template }: GeneratorContext): void {
  const snippets = missingParts(sharedTables(), tablesMade(app)).join("");
  if (snippets === "") return;
  const tables = tablesOf(snippets);
  template(newMigration(app, changes, `create_${tables[0]}`), "migration.ts", {
    snippets,
    dropped: tables.toReversed(),
  });
}
