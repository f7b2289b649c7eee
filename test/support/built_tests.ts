// Which test files can run the built package: those that enter the framework by what it publishes alone. Loading the
// built package takes a third of the time that its 600 source files take.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isBuilt } from "../../generators/bin/built.js";

const project = join(import.meta.dirname, "../..");
const RELATIVE = /(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+\.ts)"/g;
const SOURCE = /^(?:kernel|host|plugins|generators)\//;

const known = new Map<string, boolean>();

/** Whether a TypeScript file imports a source file of the framework by its path, itself or by others. */
function importsSources(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false); // files may import each other
  const isOne =
    SOURCE.test(relative(project, file)) ||
    (existsSync(file) &&
      [...readFileSync(file, "utf8").matchAll(RELATIVE)].some(([, path]) =>
        importsSources(join(dirname(file), path!)),
      ));
  known.set(file, isOne);
  return isOne;
}

// With FW_TEST_SOURCE=1, traces name the lines of the sources.
const isCurrent = process.env.FW_TEST_SOURCE !== "1" && isBuilt();

/** Node's flag for a test file: it finds the sources, or nothing, and so what is built. */
export const conditionsFor = (file: string): string[] =>
  isCurrent && !importsSources(file) ? [] : ["--conditions=framewright-source"];
