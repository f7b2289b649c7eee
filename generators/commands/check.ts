import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Application } from "framewright/host";
import type { Database, FoundChange, Refusal, RunningRelease } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { withApp } from "../support/load_app.ts";
import { green, red } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";

/** What `fw db:check --json` prints. */
interface Report {
  readonly pending: readonly string[];
  readonly running: readonly Omit<RunningRelease, "reads">[];
  readonly refused: readonly Refusal[];
  /** Of tables that no model of a running release has. */
  readonly unknown: readonly FoundChange[];
}

/** Tries the pending migrations on a copy of the database. Exits 1 when a release that runs would not bear them. */
export default async function check({ options }: CommandContext): Promise<void> {
  chooseEnvironment(options.env);
  const stop = new AbortController();
  const onSignal = () => stop.abort(errors.FW_CHECK_STOPPED());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    const report = await withApp({}, (app) => reportOf(app, options, stop.signal));
    if (options.json) console.log(JSON.stringify(report, null, 2));
    else print(report);
    if (report.refused.length > 0) process.exitCode = 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  }
}

async function reportOf(app: Application, options: CommandContext["options"], signal: AbortSignal): Promise<Report> {
  const database = app.kernel.service("database", "fw db:check");
  const { refusals } = await import("framewright/plugins/database");
  const pending = await database.migrations.pending();
  const releases = pending.length === 0 ? [] : await runningReleases(database, options.running);
  const running = releases.map(({ reads: _, ...release }) => release);
  if (pending.length === 0) return { pending, running, refused: [], unknown: [] };
  const allowed = new Set(String(options.allow ?? "").split(","));
  const isAllowed = ({ table, column }: FoundChange) => allowed.has(table) || allowed.has(`${table}.${column}`);
  const changes = (await database.tryMigrations(signal)).filter((change) => !isAllowed(change));
  const refused = refusals(changes, releases);
  const isRead = ({ table }: FoundChange) => releases.some(({ reads }) => reads[table]);
  const unknown = changes.filter((change) => change.kind === "gone" && !isRead(change) && !isIn(refused, change));
  return { pending, running, refused, unknown: releases.length === 0 ? [] : unknown };
}

const isIn = (refused: readonly Refusal[], { what }: FoundChange): boolean =>
  refused.some((refusal) => refusal.what === what);

/** What `--running` names, else the processes that recorded themselves. @throws FW_RELEASE_UNKNOWN, FW_RELEASE_TYPES */
async function runningReleases(database: Database, given: unknown): Promise<RunningRelease[]> {
  const { readsOfTypes, releasesOf } = await import("framewright/plugins/database");
  if (given === "none") return [];
  if (given !== undefined) {
    const place = resolve(String(given));
    const isFolder = existsSync(place) && statSync(place).isDirectory();
    const file = isFolder ? join(place, "db/types.d.ts") : place;
    if (!existsSync(file)) throw errors.FW_FILE_MISSING(file);
    const reads = readsOfTypes(readFileSync(file, "utf8"));
    if (Object.keys(reads).length === 0) throw errors.FW_RELEASE_TYPES(file);
    return [{ place, processes: 1, reads }];
  }
  const recorded = releasesOf(await database.releases.running());
  const isNew = (await database.migrations.status()).every(({ applied }) => !applied);
  if (recorded.length === 0 && !isNew) throw errors.FW_RELEASE_UNKNOWN();
  return recorded;
}

function print({ pending, running, refused, unknown }: Report): void {
  for (const { message } of refused) console.log(`${red("REFUSED")} ${message}`);
  for (const { migration, what } of unknown)
    console.log(`look: ${migration} drops or renames ${what}, and no model of a release that runs has the table`);
  if (pending.length === 0) console.log("nothing to migrate");
  else console.log(summary(pending.length, running, refused.length > 0));
}

function summary(pending: number, running: Report["running"], isRefused: boolean): string {
  const count = `${pending} pending migration${pending === 1 ? "" : "s"}`;
  const places = running.map(({ place }) => place).join(", ");
  if (isRefused) return red(`${count} would break what runs: migrate none of them yet`);
  return green(`${count}, with nothing against what runs: ${places || "nothing does"}`);
}
