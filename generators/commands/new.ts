import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import coreInstall from "../core/install/generator.ts";
import { usage } from "../errors.ts";
import { newApplication } from "../new/generator.ts";
import { mergeManifest, projectManifest, toolNotes } from "../new/project.ts";
import { draft, finish, reportRecovered } from "../run_generator.ts";
import { ApplicationFiles } from "../support/application.ts";
import { Changes } from "../support/changes.ts";
import { recover } from "../support/journal.ts";
import type { Manifest } from "../support/manifest.ts";
import { dasherize } from "../support/names.ts";
import { frameworkDependency, isClone, packageDirectory } from "../support/package.ts";
import type { CommandContext } from "./command.ts";

type Options = CommandContext["options"];
/** The port of an application beside another server, which has 3000 more often than not. */
const PORT_BESIDE = 4000;
const DEFAULT_FOLDER = "back";

export default async function createApplication({ args: [directory], options }: CommandContext): Promise<void> {
  if (options.in !== undefined) return createInside(resolve(String(options.in)), directory, options);
  if (directory === undefined) throw usage.FW_ARGUMENT_MISSING("fw new", "<dir>", "fw new shop --database=sqlite");
  const root = resolve(directory);
  const changes = await drafted(root, dasherize(basename(root)), basename(root), options);
  if (options.dryRun) return finish(changes, [], options);
  await write(root, changes, options);
  if (isClone) link(root);
  printNext(root);
}

/** An application in a folder of a project that exists: with the project's packages, and a server of its own. */
async function createInside(project: string, directory: string | undefined, options: Options): Promise<void> {
  const manifest = projectManifest(project);
  const root = resolve(project, directory ?? DEFAULT_FOLDER);
  const folder = relative(project, root).replaceAll(sep, "/");
  if (folder === "" || folder.startsWith("..")) throw usage.FW_PROJECT_FOLDER(root, project);
  const named = dasherize((manifest.name ?? basename(root)).replace(/^@[^/]*\//, ""));
  const name = /^[a-z][a-z0-9-]*$/.test(named) ? named : "app";
  const changes = await drafted(root, name, folder, { ...options, port: String(PORT_BESIDE) });
  const own = JSON.parse(changes.read("package.json")!) as Manifest;
  const { dependencies: _, devDependencies: __, scripts: ___, ...kept } = own as Manifest & Record<string, unknown>;
  changes.edit("package.json", () => `${JSON.stringify(kept, null, 2)}\n`);
  const shared = new Changes(project);
  const linked = frameworkDependency(project);
  const dependencies = { ...own.dependencies, ...(linked && { framewright: linked }) };
  const notes = [...mergeManifest(shared, folder, { ...own, dependencies }), ...toolNotes(project, folder, manifest)];
  if (!options.dryRun) await write(root, changes, options);
  else await finish(changes, [], options);
  await finish(
    shared,
    notes.map((note) => `\n${note}`),
    options,
  );
  if (options.dryRun) return;
  if (isClone) link(project);
  printNext(root, isClone ? [] : [`(in ${relative(process.cwd(), project) || "."}) npm install`]);
  console.log(
    `\nIt is served at http://127.0.0.1:${PORT_BESIDE}; below a path of your server by APP_URL=https://…/${folder}, to which that one passes requests on.`,
  );
}

/** @throws FW_DIRECTORY_NOT_EMPTY, FW_NAME_INVALID */
async function drafted(root: string, name: string, shown: string, options: Options): Promise<Changes> {
  if (existsSync(root)) reportRecovered(recover(root));
  if (existsSync(root) && readdirSync(root).length > 0) throw usage.FW_DIRECTORY_NOT_EMPTY(root);
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw usage.FW_NAME_INVALID("an application", shown, "use letters, digits, - and _, starting with a letter");
  const generator = newApplication({ name, link: frameworkDependency(root), isInstalled: isClone });
  const [app, changes] = [new ApplicationFiles(root), new Changes(root)];
  await draft(generator, app, changes, [name], { ...options });
  await draft(coreInstall, app, changes, [], {});
  return changes;
}

async function write(root: string, changes: Changes, options: Options): Promise<void> {
  const created = mkdirSync(root, { recursive: true });
  try {
    await finish(changes, [], options);
  } catch (error) {
    if (created && readdirSync(root).length === 0) rmdirSync(root);
    throw error;
  }
}

function printNext(root: string, before: readonly string[] = isClone ? [] : ["npm install"]): void {
  const steps = [`cd ${relative(process.cwd(), root) || "."}`, ...before, "npx fw db:migrate", "npx fw dev"];
  console.log(`\nNext:\n  ${steps.join("\n  ")}`);
}

/** Replaces `npm install`: links the packages of the clone, those that are missing. */
function link(root: string): void {
  const modules = join(root, "node_modules");
  const add = (target: string, path: string, type?: "dir") => {
    if (!existsSync(path)) symlinkSync(target, path, type);
  };
  for (const folder of [".bin", "@types"]) mkdirSync(join(modules, folder), { recursive: true });
  add(packageDirectory, join(modules, "framewright"), "dir");
  add("../framewright/generators/bin/fw.js", join(modules, ".bin", "fw"));
  for (const name of ["typescript", "@types/node"]) {
    const there = join(packageDirectory, "node_modules", name);
    if (existsSync(there)) add(there, join(modules, name), "dir");
  }
  if (existsSync(join(modules, "typescript"))) add("../typescript/bin/tsc", join(modules, ".bin", "tsc"));
}
