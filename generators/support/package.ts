import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

const above = dirname(dirname(import.meta.dirname));

/** The root of the framewright package, from its source and from its dist/. */
export const packageDirectory: string = basename(above) === "dist" ? dirname(above) : above;

/** The folder of the running code and its templates: dist/ when built, else the root. */
export const codeDirectory: string = above;

/** The version of the framework, as in 0.2.0. */
export const frameworkVersion = (): string =>
  (JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as { version: string }).version;

/** Whether this is a clone of the repository, which has its tests, rather than an installed package. */
export const isClone: boolean = existsSync(join(packageDirectory, "test", "support", "run.ts"));

/** The `fw` command itself, to run in a child process. */
export const fwCommand: string = join(packageDirectory, "generators", "bin", "fw.js");

/** The packed file that this package was installed from, as `npm exec --package=./framewright.tgz` does; undefined when from a registry. */
function packedFile(): string | undefined {
  for (let at = dirname(packageDirectory); at !== dirname(at); at = dirname(at)) {
    const path = join(at, "package.json");
    if (!existsSync(path)) continue;
    const { dependencies = {} } = JSON.parse(readFileSync(path, "utf8")) as { dependencies?: Record<string, string> };
    const file = /^file:(.+\.tgz)$/.exec(dependencies.framewright ?? "")?.[1];
    const found = file && resolve(at, file);
    if (found && existsSync(found)) return found;
  }
  return undefined;
}

/** How a package in a folder depends on this framework: `file:` of the clone or the packed file, by real paths, as npm resolves it; undefined for the published package. */
export function frameworkDependency(root: string): string | undefined {
  const source = isClone ? packageDirectory : packedFile();
  if (source === undefined) return undefined;
  let there = root;
  while (!existsSync(there)) there = dirname(there);
  const real = join(realpathSync(there), relative(there, root));
  return `file:${relative(real, realpathSync(source))}`;
}
