import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { Changes } from "../support/changes.ts";
import { addMissingPackages, type Manifest, writeManifest } from "../support/manifest.ts";

/** @throws FW_FILE_MISSING, FW_PROJECT_MANIFEST */
export function projectManifest(root: string): Manifest {
  const path = join(root, "package.json");
  if (!existsSync(path)) throw errors.FW_FILE_MISSING(path);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch (error) {
    throw errors.FW_PROJECT_MANIFEST(path, messageOf(error));
  }
}

/** Adds scripts and packages of an application in a folder to the project's package.json; what is there stays. Returns what to know. */
export function mergeManifest(changes: Changes, folder: string, added: Manifest): string[] {
  const notes: string[] = [];
  changes.edit("package.json", (text) => {
    const project = JSON.parse(text) as Manifest;
    const scripts = { ...project.scripts };
    for (const [name, line] of Object.entries(added.scripts ?? {}))
      addScript(scripts, name, `cd ${folder} && ${line}`, notes);
    return writeManifest(text, { ...project, scripts });
  });
  notes.push(...addMissingPackages(changes, added));
  return notes;
}

/** Under its own name where that is free, else under `fw:<name>`. */
function addScript(scripts: Record<string, string>, name: string, line: string, notes: string[]): void {
  const free = [name, `fw:${name}`].find((one) => scripts[one] === undefined || scripts[one] === line);
  if (free === undefined)
    notes.push(`package.json has scripts "${name}" and "fw:${name}" already; ours would be: ${line}`);
  else scripts[free] = line;
}

/** What a project's tools would read of the folder by themselves. */
export function toolNotes(root: string, folder: string, { dependencies, devDependencies }: Manifest): string[] {
  const config = join(root, "tsconfig.json");
  const text = existsSync(config) ? readFileSync(config, "utf8") : undefined;
  const notes: string[] = [];
  if (text !== undefined && !/"(?:include|files)"\s*:/.test(text))
    notes.push(`tsconfig.json includes every folder. Add to it: "exclude": ["node_modules", "${folder}"]`);
  const runner = ["vitest", "jest"].find((name) => ({ ...dependencies, ...devDependencies })[name] !== undefined);
  if (runner !== undefined)
    notes.push(`${runner} looks for tests in every folder. Exclude ${folder}/, whose tests are run by fw test.`);
  return notes;
}
