import { relative, resolve } from "node:path";
import { suggest } from "framewright/kernel";
import { errors, usage } from "../errors.ts";
import { Generators, needsNoPlugin } from "../registry.ts";
import { Changes, diffOf } from "../support/changes.ts";
import { unifiedDiff } from "../support/diff.ts";
import { type Drift, findDrift, states } from "../support/drift/drift.ts";
import { type GeneratedFile, readRecords, recordChange } from "../support/drift/records.ts";
import { commandOf, isCommand } from "../support/drift/run.ts";
import { generatorsOf } from "../support/generators_of.ts";
import { keptContributions } from "../support/kept_contributions.ts";
import { applicationRoot } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import { yellow } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";

const EMPTY = `No generated file is recorded in this application.
Run its generators again with --skip, as in: fw generate fw:core:install --skip
They record what they would write, and leave the files as they are.`;
const LEFT_OUT =
  "Not compared: lines that generators insert into files they did not write, migrations, .env files, db/types.d.ts.";

/** Lists the generated files and what became of them; for named files, prints the diffs; with `--merge`, applies what their generators would change. */
export default async function diff({ args, options }: CommandContext): Promise<void> {
  if (options.merge && options.json) throw usage.FW_FLAGS_CLASH(["--merge", "--json"]);
  if (options.dryRun && !options.merge)
    throw usage.FW_FLAG_NEEDS("--dry-run", "--merge", "nothing else writes files here");
  const root = applicationRoot();
  const records = readRecords(root);
  if (records.length === 0 && args.length === 0) return console.log(options.json ? "[]" : EMPTY);
  const chosen = select(root, await findDrift(root, records, await generatorsFor(root, records)), args);
  if (options.json) console.log(JSON.stringify(chosen.map(rowOf(args.length > 0)), null, 2));
  else if (options.merge) mergeFiles(root, chosen, options.dryRun === true);
  else if (args.length > 0) printDiffs(chosen);
  else list(chosen);
}

/** Plugins are loaded when a generator wrote a file that is not known to be the framework's. */
async function generatorsFor(root: string, records: readonly GeneratedFile[]): Promise<Generators> {
  const listed = keptContributions(root)?.generators ?? [];
  const isFramework = records.every(({ run }) => isCommand(run.generator) || needsNoPlugin(run.generator, listed));
  return isFramework ? new Generators() : generatorsOf(root);
}

/** The files that the arguments name, each a file or a folder. @throws FW_GENERATED_UNKNOWN */
function select(root: string, drifts: readonly Drift[], args: readonly string[]): readonly Drift[] {
  if (args.length === 0) return drifts;
  const paths = drifts.map(({ path }) => path);
  const named = new Set(
    args.flatMap((argument) => {
      const given = relative(root, resolve(argument)).replaceAll("\\", "/");
      const found = paths.filter((path) => path === given || given === "" || path.startsWith(`${given}/`));
      if (found.length === 0) throw usage.FW_GENERATED_UNKNOWN(given, suggest(given, paths));
      return found;
    }),
  );
  return drifts.filter(({ path }) => named.has(path));
}

const yourDiff = ({ path, known, yours }: Drift): string =>
  known === undefined || yours === undefined ? "" : unifiedDiff(path, known, yours);
const theirDiff = (drift: Drift): string =>
  isMergeable(drift) || drift.state === "conflict" ? unifiedDiff(drift.path, drift.generated, drift.theirs) : "";

const rowOf = (withDiffs: boolean) => (drift: Drift) => ({
  file: drift.path,
  state: drift.state,
  command: commandOf(drift.run),
  framewright: drift.framewright ?? null,
  problem: drift.problem ?? null,
  ...(withDiffs ? { yours: yourDiff(drift), theirs: theirDiff(drift) } : {}),
});

function list(drifts: readonly Drift[]): void {
  console.log(
    table(
      ["file", "state", "generator"],
      drifts.map(({ path, state, run }) => [path, states[state], run.generator]),
    ),
  );
  warn(drifts);
  console.log(`\n${LEFT_OUT}`);
  if (drifts.some(isMergeable))
    console.log("fw diff <file> prints the diffs; fw diff --merge applies the generators' changes.");
}

function printDiffs(drifts: readonly Drift[]): void {
  for (const drift of drifts) {
    const [yours, theirs] = [yourDiff(drift), theirDiff(drift)];
    console.log(`${drift.path}: ${states[drift.state]}`);
    if (yours) console.log(`\nWhat you changed since ${drift.run.generator} wrote it:\n${yours}`);
    if (theirs) console.log(`\nWhat ${drift.run.generator} would change:\n${theirs}`);
  }
  warn(drifts);
}

function warn(drifts: readonly Drift[]): void {
  const problems = new Set(drifts.flatMap(({ problem }) => problem ?? []));
  for (const problem of problems) console.error(yellow(`${problem}; what it would write now is unknown`));
}

const isMergeable = ({ state }: Drift): boolean => state === "outdated" || state === "both" || state === "added";

/** @throws FW_MERGE_CONFLICTS when conflicts are left in a file */
function mergeFiles(root: string, drifts: readonly Drift[], isDryRun: boolean): void {
  const changes = new Changes(root);
  const merged = drifts.filter(isMergeable);
  for (const { path, merged: result } of merged) changes.create(path, result.text); // with the line ends that the file has
  const plan = changes.plan(() => "overwrite");
  if (isDryRun) process.stdout.write(diffOf(plan));
  else changes.commit([...plan, ...drifts.flatMap((drift) => recordOf(root, drift))]);
  for (const { path, merged: result } of merged)
    (isDryRun ? console.error : console.log)(`${(result.conflicts > 0 ? "conflict" : "merged").padStart(10)}  ${path}`);
  if (merged.length === 0) console.log("There is nothing to merge.");
  warn(drifts);
  const unresolved = drifts.filter(({ state, merged: { conflicts } }) => state === "conflict" || conflicts > 0);
  if (unresolved.length > 0 && !isDryRun) throw errors.FW_MERGE_CONFLICTS(unresolved.map(({ path }) => path));
}

/** The record after the merge: later runs compare with what was merged. Deleted files and those with conflicts wait. */
const recordOf = (root: string, { state, next }: Drift) =>
  next && state !== "deleted" && state !== "conflict" ? recordChange(root, next) : [];
