import { setTimeout as sleep } from "node:timers/promises";
import { errorTable } from "framewright/kernel";
import { type JobInfo, type JobState, type Jobs, jobStates } from "framewright/plugins/jobs";
import { usage } from "../errors.ts";
import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./index.ts";

type Options = CommandContext["options"];
type Run = (jobs: Jobs, options: Options, given: string) => Promise<void>;

/** Milliseconds between two looks of `jobs:work --watch`. */
const PAUSE = 1000;
const MOST = 1000;

const errors = errorTable({
  FW_JOB_MISSING: (id: string, doing: string) =>
    `there is no job ${id} that can be ${doing}. fw jobs lists those that there are.`,
});

const runs: Readonly<Record<string, Run>> = {
  async jobs(jobs, { state, kind, json }) {
    const filter = { ...(state ? { state: stateOf(state) } : {}), ...(kind ? { kind: String(kind) } : {}) };
    const listed = await jobs.list(filter);
    if (json) console.log(JSON.stringify(listed, null, 2));
    else console.log(listed.length > 0 ? table(heads, listed.map(row)) : "no jobs");
  },
  async "jobs:retry"(jobs, _, id) {
    const failed = id === "all" ? await jobs.list({ state: "failed", limit: MOST }) : [{ id: idOf(id) }];
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
    const stop = stopped();
    let count = await Promise.race([jobs.drain(), stop.told]);
    while (watch && !stop.signal.aborted) {
      await sleep(PAUSE, undefined, { signal: stop.signal }).catch(() => undefined);
      if (!stop.signal.aborted) count += await Promise.race([jobs.drain().catch(complain), stop.told]);
    }
    if (!stop.signal.aborted) console.log(count === 1 ? "1 job ended" : `${count} jobs ended`);
  },
};

/** Lists and does jobs, in an application that is booted and does not listen: nothing runs but what is asked for. */
export default async function jobs({ argv: [name], args: [given = ""], options }: CommandContext): Promise<void> {
  const { env } = options;
  const known = ["development", "test", "production"];
  if (env !== undefined && !known.includes(String(env))) throw usage.FW_FLAG_CHOICE("--env", String(env), known);
  await withApp(env === undefined ? {} : { env: String(env) }, (app) =>
    runs[name!]!(app.kernel.service("jobs", `fw ${name}`), options, given),
  );
}

const heads = ["id", "kind", "state", "attempts", "next or last", "error"];
function row({ id, kind, state, attempts, maxAttempts, runAt, finishedAt, lastError }: JobInfo): string[] {
  const at = (finishedAt ?? runAt).toISOString().slice(0, 19).replace("T", " ");
  const error = (lastError ?? "").replaceAll(/\s+/g, " ").slice(0, 80);
  return [String(id), kind, state, `${attempts}/${maxAttempts}`, at, error];
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

/** The first SIGTERM or SIGINT: nothing more is begun, and closing the application waits for what runs. */
function stopped(): { signal: AbortSignal; told: Promise<number> } {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => controller.abort());
  const told = new Promise<number>((resolve) => controller.signal.addEventListener("abort", () => resolve(0)));
  return { signal: controller.signal, told };
}

/** A database that is away for a while does not end a worker. */
function complain(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  return 0;
}
