import { usage } from "../../errors.ts";
import { defineGenerator } from "../../generator.ts";
import { titleize, underscore } from "../../support/names.ts";
import { checkReserved } from "../../support/reserved.ts";

const kinds = ["controllers", "definitions", "interactions", "models", "policies"] as const;

export default defineGenerator({
  name: "fw:pkg:package",
  summary: "Create a feature package: models, policies and definitions that belong together",
  example: "fw generate fw:pkg:package blogging",
  args: "<name>",
  directory: import.meta.dirname,
  run({ args: [given], changes, template, note }) {
    const name = underscore(given!);
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw usage.FW_NAME_INVALID("a package", given!, "use letters, digits and _, starting with a letter");
    checkReserved("a package", name);
    if (name === "main_app") throw usage.FW_NAME_INVALID("a package", name, "main_app is the application itself");
    if (name.endsWith("_portal"))
      throw usage.FW_NAME_INVALID("a package", name, "that is a portal's name; use fw:pkg:portal");
    template(`packages/${name}/README.md`, "README.md", { name, title: titleize(name) });
    for (const kind of kinds) changes.create(`packages/${name}/app/${kind}/${name}/.gitkeep`, "");
    changes.create(`packages/${name}/db/migrate/.gitkeep`, "");
    note(`\nNext:\n  npx fw generate fw:res:scaffold Post title:string --dest=${name}`);
  },
});
