import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Generators } from "../../registry.ts";
import { frameworkVersion } from "../package.ts";
import { fingerprintsOf } from "./fingerprint.ts";
import { hasConflicts, isCrlf, type Merged, merge, mergeForTheirs, withLf } from "./merge.ts";
import type { GeneratedFile } from "./records.ts";
import { Fingerprints, type Rerun, type RerunOutcome, rerun } from "./rerun.ts";
import { isCommand, type Run, runKey } from "./run.ts";

/** What became of a generated file, in the order in which they are explained. */
export const states = {
  unchanged: "as it was generated",
  edited: "edited by you",
  outdated: "the generator writes another text now",
  both: "edited by you, and the generator writes another text now",
  added: "the generator writes this file now",
  deleted: "deleted by you",
  conflict: "has conflicts of a merge, to be resolved by you",
} as const;
export type State = keyof typeof states;

/** A generated file and what can be done about it. Texts have LF line ends. */
export interface Drift {
  path: string;
  state: State;
  run: Run;
  /** The version of the framework that wrote the file; undefined for one that is not there yet. */
  framewright: string | undefined;
  /** As generators left it; undefined for a file that is not there yet. */
  known: string | undefined;
  /** As its run wrote it. */
  generated: string | undefined;
  /** As it is on disk. */
  yours: string | undefined;
  /** As its generator would write it now. */
  theirs: string;
  /** The text on disk with the generator's changes. */
  merged: Merged;
  /** The record after a merge; undefined when the generator would write the same for the same reasons. */
  next: GeneratedFile | undefined;
  /** Why it is unknown what the generator would write now. */
  problem?: string;
}

/** Compares the recorded files of an application with the disk and with what their generators would write now. Writes nothing. */
export async function findDrift(
  root: string,
  records: readonly GeneratedFile[],
  generators: Generators,
): Promise<Drift[]> {
  const prints = new Fingerprints(root, generators);
  const outcomes = new Map<string, RerunOutcome>();
  const drifts: Drift[] = [];
  for (const record of records) {
    if (await prints.isCurrent(record)) {
      drifts.push(driftOf(root, record));
      continue;
    }
    const key = runKey(record.run);
    if (!outcomes.has(key)) {
      const files = records.filter(({ run }) => runKey(run) === key).map(({ path }) => path);
      outcomes.set(key, await rerun(root, record.run, new Set(files), generators));
    }
    drifts.push(driftOf(root, record, outcomes.get(key)));
  }
  const known = new Set(records.map(({ path }) => path));
  for (const outcome of outcomes.values()) {
    if ("problem" in outcome) continue;
    const added = addedBy(root, outcome).filter(({ path }) => !known.has(path));
    for (const drift of added) known.add(drift.path);
    drifts.push(...added);
  }
  return drifts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function driftOf(root: string, record: GeneratedFile, outcome?: RerunOutcome): Drift {
  const { path, run, framewright, generated } = record;
  const ran = outcome && !("problem" in outcome) ? outcome : undefined;
  const theirs = ran?.texts.get(path) ?? generated;
  const known = record.edited ?? generated;
  const yours = onDisk(root, path);
  const merged = yours === undefined ? untouched("") : merge({ base: generated, yours, theirs }, labelOf(run));
  const state = stateOf(yours, known, merged);
  const edited = mergeForTheirs({ base: generated, yours: known, theirs });
  const next = ran && { path, run, ...stampOf(ran), generated: theirs, edited };
  const problem = outcome && "problem" in outcome ? { problem: outcome.problem } : {};
  return { path, state, run, framewright, known, generated, yours, theirs, merged, next, ...problem };
}

function stateOf(yours: string | undefined, known: string, merged: Merged): State {
  if (yours === undefined) return "deleted";
  if (hasConflicts(yours)) return "conflict";
  if (merged.text !== yours) return yours === known ? "outdated" : "both";
  return yours === known ? "unchanged" : "edited";
}

/** The files that a generator writes now, and did not when it ran first. A file that is there is the developer's own. */
function addedBy(root: string, { log, texts }: Rerun): Drift[] {
  const missing = [...texts].filter(([path]) => !existsSync(join(root, path)));
  return missing.map(([path, theirs]) => ({
    path,
    state: "added",
    run: log.run,
    framewright: undefined,
    known: undefined,
    generated: undefined,
    yours: undefined,
    theirs,
    merged: untouched(theirs),
    next: { path, run: log.run, ...stampOf({ log }), generated: theirs },
  }));
}

const untouched = (text: string): Merged => ({ text, conflicts: 0 });

const stampOf = ({ log }: Pick<Rerun, "log">) => ({
  framewright: frameworkVersion(),
  fingerprints: fingerprintsOf(log.used),
});

/** The name of the generator's side in a conflict. */
const labelOf = ({ generator }: Run): string =>
  isCommand(generator) || generator.startsWith("fw:") ? `framewright ${frameworkVersion()}` : generator;

function onDisk(root: string, path: string): string | undefined {
  const file = join(root, path);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  return isCrlf(text) ? withLf(text) : text;
}
