// `npm run release -- --dry-run`: checks, builds, packs and prints what it would tag and publish; without --dry-run it
// does that. `--steps=tree,changelog` does these alone, in a dry run; `--out` is the folder of the tarballs, .release by default.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checks } from "./checks.ts";
import { manifestOf, type Release } from "./release.ts";
import { type Step, steps } from "./steps.ts";

const options = { "dry-run": { type: "boolean" }, steps: { type: "string" }, out: { type: "string" } } as const;
const { values } = parseArgs({ options });
const root = process.cwd();
const release: Release = {
  root,
  out: resolve(root, values.out ?? ".release"),
  version: manifestOf(root).version,
  isDry: values["dry-run"] ?? false,
};

const names = [...Object.keys(checks), ...Object.keys(steps)];
const selected = values.steps?.split(",") ?? names;
const unknown = selected.filter((name) => !names.includes(name));
if (unknown.length > 0) fail([`--steps: no step is called ${unknown.join(", ")}. There are ${names.join(", ")}`]);

if (values.steps && !release.isDry) fail(["A release does all steps. Add --dry-run to do some of them."]);
fail(selected.flatMap((name) => checks[name]?.(release) ?? []));
mkdirSync(release.out, { recursive: true });
for (const [name, step] of Object.entries(steps)) if (selected.includes(name)) run(name, step);

function run(name: string, step: Step): void {
  console.log(`\n# ${name}`);
  try {
    step(release);
  } catch (error) {
    fail([`${name}: ${(error as Error).message}`]);
  }
}
/** Ends with all problems, each with its fix. */
function fail(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
