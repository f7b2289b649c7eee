import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import coreInstall from "../core/install/generator.ts";
import { usage } from "../errors.ts";
import { newApplication } from "../new/generator.ts";
import { draft, finish, reportRecovered } from "../run_generator.ts";
import { ApplicationFiles } from "../support/application.ts";
import { Changes } from "../support/changes.ts";
import { recover } from "../support/journal.ts";
import { dasherize } from "../support/names.ts";
import { frameworkDependency, isClone, packageDirectory } from "../support/package.ts";
import type { CommandContext } from "./command.ts";

export default async function createApplication({ args: [directory], options }: CommandContext): Promise<void> {
  const root = resolve(directory!);
  if (existsSync(root)) reportRecovered(recover(root));
  if (existsSync(root) && readdirSync(root).length > 0) throw usage.FW_DIRECTORY_NOT_EMPTY(root);
  const name = dasherize(basename(root));
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw usage.FW_NAME_INVALID(
      "an application",
      basename(root),
      "use letters, digits, - and _, starting with a letter",
    );
  const generator = newApplication({ name, link: frameworkDependency(root), isInstalled: isClone });
  const [app, changes] = [new ApplicationFiles(root), new Changes(root)];
  await draft(generator, app, changes, [name], { ...options });
  await draft(coreInstall, app, changes, [], {});
  if (options.dryRun) return finish(changes, [], options);
  const created = mkdirSync(root, { recursive: true });
  try {
    await finish(changes, [], options);
  } catch (error) {
    if (created && readdirSync(root).length === 0) rmdirSync(root);
    throw error;
  }
  if (isClone) link(root);
  const steps = [
    `cd ${relative(process.cwd(), root) || "."}`,
    ...(isClone ? [] : ["npm install"]),
    "npx fw db:migrate",
    "npx fw dev",
  ];
  console.log(`\nNext:\n  ${steps.join("\n  ")}`);
}

/** Replaces `npm install`: links the packages of the clone. */
function link(root: string): void {
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(join(modules, "@types"));
  symlinkSync(packageDirectory, join(modules, "framewright"), "dir");
  symlinkSync("../framewright/generators/bin/fw.js", join(modules, ".bin", "fw"));
  for (const name of ["typescript", "@types/node"]) {
    const there = join(packageDirectory, "node_modules", name);
    if (existsSync(there)) symlinkSync(there, join(modules, name), "dir");
  }
  if (existsSync(join(modules, "typescript"))) symlinkSync("../typescript/bin/tsc", join(modules, ".bin", "tsc"));
}
