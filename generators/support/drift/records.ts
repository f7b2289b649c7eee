import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "framewright/kernel";
import { errors } from "../../errors.ts";
import type { Change } from "../changes.ts";
import { linesOf } from "../diff.ts";
import { frameworkVersion } from "../package.ts";
import { fingerprintsOf } from "./fingerprint.ts";
import { isCrlf, mergeForTheirs, withLf } from "./merge.ts";
import { type Run, runKey } from "./run.ts";

/** Below the application's root; committed with it. A file's record has the file's path here, and ".json". */
export const RECORDS = ".framewright/generated";

/** What is known of a generated file. Its texts have LF line ends. */
export interface GeneratedFile {
  path: string;
  run: Run;
  /** The version of the framework that wrote it. */
  framewright: string;
  /** Of the generators of the run, by their names, as they were then. */
  fingerprints: Readonly<Record<string, string>>;
  /** The text that the run wrote. */
  generated: string;
  /** With the lines that later generators inserted; undefined when there are none. */
  edited?: string;
}

interface Stored extends Run {
  framewright: string;
  fingerprints: Readonly<Record<string, string>>;
  /** Lines with their line ends, so that version control merges them. */
  generated: readonly string[];
  edited?: readonly string[];
}

export const recordPath = (path: string): string => `${RECORDS}/${path}.json`;

/** Migrations are history, `fw types` writes db/types.d.ts, and what may have secrets is not copied. */
export const isRecorded = (path: string): boolean =>
  !/(^|\/)migrate\/\d{14}_/.test(path) &&
  !/^\.env(\.|$)|^\.gitkeep$|\.(key|pem)$/.test(basename(path)) &&
  path !== "db/types.d.ts" &&
  !path.startsWith(`${RECORDS}/`);

export function recordText({ run, path: _, framewright, fingerprints, generated, edited }: GeneratedFile): string {
  const stored: Stored = {
    generator: run.generator,
    args: run.args,
    options: run.options,
    answers: run.answers,
    framewright,
    fingerprints,
    generated: linesOf(generated),
    ...(edited === undefined || edited === generated ? {} : { edited: linesOf(edited) }),
  };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

/** The record of a file, if there is one. @throws FW_RECORD_BROKEN */
export function readRecord(root: string, path: string): GeneratedFile | undefined {
  const file = join(root, recordPath(path));
  if (!existsSync(file)) return undefined;
  try {
    const { generator, args, options, answers, generated, edited, ...rest } = JSON.parse(
      readFileSync(file, "utf8"),
    ) as Stored;
    const texts = { generated: generated.join(""), ...(edited && { edited: edited.join("") }) };
    return { path, run: { generator, args: [...args], options, answers: [...answers] }, ...rest, ...texts };
  } catch (cause) {
    throw Object.assign(errors.FW_RECORD_BROKEN(recordPath(path), messageOf(cause)), { cause });
  }
}

/** The records of an application, by path. @throws FW_RECORD_BROKEN */
export function readRecords(root: string): GeneratedFile[] {
  const paths = filesBelow(join(root, RECORDS)).filter((path) => path.endsWith(".json"));
  return paths.map((path) => readRecord(root, path.slice(0, -".json".length))!);
}

function filesBelow(directory: string, prefix = ""): string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(directory, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`],
  );
}

/** The changes of records that belong to a plan. A package that a generator writes outside of an application has none. */
export function recordChanges(root: string, plan: readonly Change[]): Change[] {
  return plan
    .filter(({ path, run }) => isRecorded(path) && !run?.isStandalone)
    .flatMap((change) => {
      const stored = readRecord(root, change.path);
      const next = change.run ? recordOf(change, stored) : stored && withEdit(change, stored);
      return next ? recordChange(root, next) : [];
    });
}

/** The change that writes a record; none when it is written. */
export function recordChange(root: string, record: GeneratedFile): Change[] {
  const path = recordPath(record.path);
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const after = recordText(record);
  if (before === after) return [];
  return [{ path, outcome: before === undefined ? "create" : "overwrite", before, after }];
}

/** The record of a file that a generator drafted whole. A file that was left unchanged keeps its record, since its text is still the one generated from that. */
function recordOf({ path, outcome, after, run: log }: Change, stored: GeneratedFile | undefined) {
  if (stored && outcome === "kept") return undefined;
  const { run, used } = log!;
  const generated = withLf(after);
  const next = { path, run, framewright: frameworkVersion(), fingerprints: fingerprintsOf(used), generated };
  return stored?.generated === generated && !isNewer(next, stored) ? undefined : next; // that of the first run
}

/** Whether the same run wrote the file by other generators than before; a run that finds parts there needs fewer of them. */
const isNewer = (next: GeneratedFile, { run, framewright, fingerprints }: GeneratedFile): boolean =>
  runKey(run) === runKey(next.run) &&
  (framewright !== next.framewright ||
    Object.entries(next.fingerprints).some(([name, fingerprint]) => fingerprints[name] !== fingerprint));

/** A record after a generator edited part of the file: the same edit, without those of the developer. */
function withEdit({ before, after }: Change, stored: GeneratedFile): GeneratedFile | undefined {
  const known = stored.edited ?? stored.generated;
  const [base, theirs] = [before ?? "", after].map((text) => (isCrlf(text) ? withLf(text) : text)) as [string, string];
  const edited = base === known ? theirs : mergeForTheirs({ base, yours: known, theirs });
  return edited === known ? undefined : { ...stored, edited };
}
