import { basename } from "node:path";
import { defineGenerator } from "../../generator.ts";
import type { Changes } from "../../support/changes.ts";
import { titleize } from "../../support/names.ts";

const files = {
  "app/controllers/application_controller.ts": "application_controller.ts",
  "app/controllers/base_controller.ts": "base_controller.ts",
  "app/controllers/resource_controller.ts": "resource_controller.ts",
  "app/controllers/home_controller.ts": "home_controller.ts",
  "app/policies/resource_policy.ts": "resource_policy.ts",
  "app/definitions/resource_definition.ts": "resource_definition.ts",
  "app/interactions/resource_interaction.ts": "resource_interaction.ts",
  "app/views/home/index.liquid": "home_index.liquid",
  "config/routes.ts": "routes.ts",
} as const;

export default defineGenerator({
  name: "fw:core:install",
  summary: "Write the base classes that an application's own classes extend, and a first page",
  example: "fw generate fw:core:install",
  directory: import.meta.dirname,
  run({ app, changes, template }) {
    const locals = { app_title: titleize(basename(packageName(changes) ?? app.root)) };
    for (const [path, name] of Object.entries(files)) template(path, name, locals);
    if (!changes.exists("db/types.d.ts")) template("db/types.d.ts", "types.d.ts");
  },
});

/** As in package.json, which a clone in a folder of another name has too. */
const packageName = (changes: Changes): string | undefined =>
  (JSON.parse(changes.read("package.json") ?? "{}") as { name?: string }).name;
