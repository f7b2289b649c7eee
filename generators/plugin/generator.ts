import { readFileSync } from "node:fs";
import { join } from "node:path";
import { usage } from "../errors.ts";
import { defineGenerator } from "../generator.ts";
import { camelize, dasherize, titleize, underscore } from "../support/names.ts";
import { frameworkDependency, packageDirectory } from "../support/package.ts";

interface Manifest {
  version: string;
  devDependencies: Record<string, string>;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export default defineGenerator({
  name: "fw:plugin",
  summary:
    "Create a plugin as a package of its own, in a folder of the working directory: code, texts, a table, a command, tests",
  example: "fw generate fw:plugin acme-audit",
  args: "<name>",
  directory: import.meta.dirname,
  isStandalone: true,
  run({ args: [given], app, template, note }) {
    const name = dasherize(underscore(given!));
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
      throw usage.FW_NAME_INVALID("a plugin", given!, "use letters, digits and -, starting with a letter");
    const word = underscore(name);
    const file = join(packageDirectory, "package.json");
    const { version, devDependencies } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    const locals = {
      name,
      word,
      factory: lowerFirst(camelize(word)),
      type: camelize(word),
      title: titleize(word),
      prefix: name.split("-")[0],
      range: `^${version.split(".").slice(0, 2).join(".")}`,
      framewright: frameworkDependency(join(app.root, name)) ?? `^${version}`,
      typescript: devDependencies.typescript,
      node_types: devDependencies["@types/node"] ?? "^20.19.0",
    };
    const files = ["package.json", "tsconfig.json", "tsconfig.build.json", "README.md", "src/index.ts"];
    for (const path of files) template(`${name}/${path}`, path, locals);
    template(`${name}/.gitignore`, "gitignore");
    template(`${name}/.github/workflows/ci.yml`, "ci.yml");
    template(`${name}/src/commands/count.ts`, "count.ts", locals);
    template(`${name}/locales/en.json`, "en.json", locals);
    template(`${name}/migrate/20260101000000_create_${word}.js`, "migration.js", locals);
    template(`${name}/test/${word}.test.ts`, "plugin.test.ts", locals);
    note(`\nNext:\n  cd ${name}\n  npm install\n  npm test`);
  },
});
