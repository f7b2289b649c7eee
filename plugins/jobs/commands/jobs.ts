import { setTimeout as sleep } from "node:timers/promises";
import { type CommandContext, table, usage, withApp } from "framewright/generators";
import { errorTable } from "framewright/kernel";
import { type JobInfo, type JobState, type Jobs, jobStates, type ScheduleInfo } from "../index.ts";

type Options = CommandContext["options"];
type Action = (jobs: Jobs, options: Options, given: string) => Promise<void>;

const UNRECORDED = "what this process reads could not be recorded for fw db:check, and is tried again";
/** Milliseconds between two polls of `jobs:work --watch`. */
const POLL_MS = 1000;
const MAX_RETRIED_JOBS = 1000;

const errors = errorTable({
  FW_JOB_MISSING: (id: string, doing: string) => `there is no job ${id} that can be ${doing}. fw jobs lists them.`,
});

const actions: Readonly<Record<string, Action>> = {
  async jobs(jobs, { state, kind, json, schedules }) {
    if (schedules && (state || kind)) throw usage.FW_FLAGS_CLASH(["--schedules", state ? "--state" : "--kind"]);
    if (schedules) return printSchedules(await jobs.schedules(), json);
    const filter = { ...(state ? { state: stateOf(state) } : {}), ...(kind ? { kind: String(kind) } : {}) };
    const listed = await jobs.list(filter);
    if (json) return console.log(JSON.stringify(listed, null, 2));
    console.log(listed.length > 0 ? table(heads, listed.map(row)) : "no jobs");
    const declared = state || kind ? [] : await jobs.schedules();
    if (declared.length > 0) console.log(`\n${scheduleTable(declared)}`);
  },
  async "jobs:retry"(jobs, _, id) {
    const failed = id === "all" ? await jobs.list({ state: "failed", limit: MAX_RETRIED_JOBS }) : [{ id: idOf(id) }];
    let count = 0;
    for (const job of failed) if (await jobs.retry(job.id)) count++;
    if (count === 0 && id !== "all") throw errors.FW_JOB_MISSING(id, "retried");
    console.log(count === 1 ? "1 job is due again" : `${count} jobs are due again`);
  },
  async "jobs:discard"(jobs, _, id) {
    if (!(await jobs.discard(idOf(id)))) throw errors.FW_JOB_MISSING(id, "discarded");
    console.log(`discarded job ${id}`);
  },
  async "jobs:work"(jobs, { watch }) {
    const stop = stopOnSignals();
    let count = await Promise.race([jobs.drain(), stop.stopped]);
    while (watch && !stop.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      if (!stop.signal.aborted) count += await Promise.race([jobs.drain().catch(logError), stop.stopped]);
    }
    if (!stop.signal.aborted) console.log(count === 1 ? "1 job ended" : `${count} jobs ended`);
  },
};

/** Lists and runs jobs in a booted application that does not listen, so that nothing else runs. */
export default async function jobs({ argv: [name], args: [given = ""], options }: CommandContext): Promise<void> {
  const { env } = options;
  const known = ["development", "test", "production"];
  if (env !== undefined && !known.includes(String(env))) throw usage.FW_FLAG_CHOICE("--env", String(env), known);
  await withApp(env === undefined ? {} : { env: String(env) }, (app) => {
    const { kernel, settings, log } = app;
    if (options.watch && settings.env === "production" && kernel.has("database"))
      kernel.service("database", "fw jobs:work").releases.record(settings.root, (err) => log.warn({ err }, UNRECORDED));
    return actions[name!]!(kernel.service("jobs", `fw ${name}`), options, given);
  });
}

const heads = ["id", "kind", "state", "attempts", "next or last", "error"];
const short = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");
function row({ id, kind, state, attempts, maxAttempts, runAt, finishedAt, lastError }: JobInfo): string[] {
  const error = (lastError ?? "").replaceAll(/\s+/g, " ").slice(0, 80);
  return [String(id), kind, state, `${attempts}/${maxAttempts}`, short(finishedAt ?? runAt), error];
}

function printSchedules(listed: readonly ScheduleInfo[], json: unknown): void {
  if (json) console.log(JSON.stringify(listed, null, 2));
  else console.log(listed.length > 0 ? scheduleTable(listed) : "no schedules");
}
function scheduleTable(listed: readonly ScheduleInfo[]): string {
  const rows = listed.map(({ name, kind, timing, nextAt, lastAt, lastJob }) => {
    const last = lastAt ? [short(lastAt), String(lastJob ?? "")] : ["never", ""];
    return [name, kind, timing, short(nextAt), ...last];
  });
  return table(["schedule", "kind", "due", "next (UTC)", "last (UTC)", "job"], rows);
}

function stateOf(state: unknown): JobState {
  const found = jobStates.find((known) => known === state);
  if (!found) throw usage.FW_FLAG_CHOICE("--state", String(state), jobStates);
  return found;
}

function idOf(id: string): number {
  if (!/^[1-9]\d{0,15}$/.test(id))
    throw usage.FW_ARGUMENT_MISSING("fw jobs", "the number of a job", "fw jobs:retry 17");
  return Number(id);
}

/** On the first SIGTERM or SIGINT no more jobs are started; closing the application waits for the running ones. */
function stopOnSignals(): { signal: AbortSignal; stopped: Promise<number> } {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => controller.abort());
  const stopped = new Promise<number>((resolve) => controller.signal.addEventListener("abort", () => resolve(0)));
  return { signal: controller.signal, stopped };
}

/** A temporary failure of the database does not end the worker. */
function logError(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  return 0;
}
