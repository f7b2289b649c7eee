import { isFrameworkTable } from "../drivers/framework_names.ts";
import { breaks } from "./breaking_changes.ts";
import type { FoundChange } from "./check_migrations.ts";
import type { Reads } from "./reads.ts";
import type { RunningProcess } from "./releases.ts";

/** A release that runs: where, in how many processes, and what it reads. */
export interface RunningRelease {
  readonly place: string;
  readonly processes: number;
  readonly reads: Reads;
}
/** A change that breaks a running release. */
export interface Refusal extends FoundChange {
  /** `Post of web1:/srv/shop/releases/41 (2 processes)` */
  readonly readers: readonly string[];
  /** What is wrong, and how to do it in two releases. */
  readonly message: string;
}

/** Processes of one place that read the same are one release. */
export function releasesOf(processes: readonly RunningProcess[]): RunningRelease[] {
  const releases = new Map<string, RunningRelease>();
  for (const { place, reads } of processes) {
    const key = `${place} ${JSON.stringify(reads)}`;
    releases.set(key, { place, reads, processes: (releases.get(key)?.processes ?? 0) + 1 });
  }
  return [...releases.values()];
}

/** The changes that a running release does not bear. */
export function refusals(changes: readonly FoundChange[], releases: readonly RunningRelease[]): Refusal[] {
  return changes.flatMap((change) => {
    const readers = releases.flatMap((release) => readerOf(change, release) ?? []);
    return readers.length > 0 ? [{ ...change, readers, message: messageFor(change, readers) }] : [];
  });
}

/** The framework reads its own tables, which are of no model. */
function readerOf(change: FoundChange, { place, processes, reads }: RunningRelease): string | undefined {
  const where = processes === 1 ? place : `${place} (${processes} processes)`;
  if (isFrameworkTable(change.table)) return `the framework in ${where}`;
  const table = reads[change.table];
  if (!breaks(change, table)) return undefined;
  return table?.models.length ? `${table.models.join(", ")} of ${where}` : where;
}

const messageFor = (change: FoundChange, readers: readonly string[]): string => {
  const { problem, fix } = sentences[change.kind](change);
  return `${change.migration} ${problem} by ${readers.join(", and ")}. ${fix}`;
};

type Sentences = (change: FoundChange) => { problem: string; fix: string };
const sentences: Readonly<Record<FoundChange["kind"], Sentences>> = {
  gone: ({ what, column }) => ({
    problem: `drops or renames ${what}, which is still read`,
    fix:
      column === undefined
        ? "Deploy a release without its model first, and drop the table in the next one."
        : `Deploy a release whose model has static ignoredColumns = ["${column}"] first, and drop the column in the next one.`,
  }),
  required: ({ what }) => ({
    problem: `adds ${what} as not null and without a default, and records are inserted without it`,
    fix: "Give it a default, or let it be null until the next release.",
  }),
  not_null: ({ what, column }) => ({
    problem: `makes ${what} not null, and records may be written without it`,
    fix: `Deploy a release whose model requires it first (validations: { ${column}: { presence: true } }), and make the column not null in the next one.`,
  }),
  without_default: ({ what }) => ({
    problem: `takes away the default of ${what}, which is not null, and records may be inserted without it`,
    fix: "Keep the default until the next release.",
  }),
  narrowed: ({ what }) => ({
    problem: `changes ${what}, which is read and written as it was`,
    fix: "Add a column of the new type, write both in a first release, and drop the old one in a later one.",
  }),
};
