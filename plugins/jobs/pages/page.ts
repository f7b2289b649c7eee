import { type BaseController, csrfInput, humanize, type SafeHtml } from "framewright/host";
import type { BackgroundRunInfo } from "framewright/plugins/resources";
import { type JobCount, type JobInfo, type JobState, jobStates, type ScheduleInfo } from "../contract.ts";

// What the pages show of jobs, schedules and runs: never a payload, never a record.

const tones: Readonly<Record<JobState | BackgroundRunInfo["state"], string>> = {
  waiting: "info",
  running: "warning",
  done: "success",
  failed: "danger",
  cancelled: "danger",
};

export const jobJson = ({ id, kind, state, attempts, maxAttempts, ...job }: JobInfo) => ({
  id,
  kind,
  state,
  attempts,
  max_attempts: maxAttempts,
  run_at: job.runAt,
  created_at: job.createdAt,
  finished_at: job.finishedAt ?? null,
  last_error: job.lastError ?? null,
});
export const scheduleJson = ({ name, kind, timing, nextAt, lastAt, lastJob }: ScheduleInfo) => ({
  name,
  kind,
  timing,
  next_at: nextAt,
  last_at: lastAt ?? null,
  last_job: lastJob ?? null,
});
export const runJson = ({ id, resource, action, state, total, done, refused, failed, ...run }: BackgroundRunInfo) => ({
  id,
  resource,
  action,
  state,
  total,
  done,
  refused,
  failed,
  created_at: run.createdAt,
  finished_at: run.finishedAt ?? null,
});

export const isOpen = ({ state }: BackgroundRunInfo): boolean => state === "waiting" || state === "running";

/** What a form that changes something needs. */
export interface Act {
  url: string;
  csrf: SafeHtml;
}
export const act = ({ request }: BaseController, url: string): Act => ({ url, csrf: csrfInput(request, url, "post") });

export interface Tab {
  label: string;
  url: string;
  isCurrent: boolean;
  count: number | undefined;
}
/** One tab for all jobs and one a state; jobs that are done are not counted. */
export function tabs(
  controller: BaseController,
  url: string,
  current: JobState | undefined,
  counts: readonly JobCount[],
): Tab[] {
  const countOf = (state: JobState) => {
    const of = counts.filter((one) => one.state === state);
    return of.length > 0 ? of.reduce((sum, { count }) => sum + count, 0) : undefined;
  };
  const tab = (state: JobState): Tab => ({
    label: controller.t(`jobs.states.${state}`),
    url: `${url}?state=${state}`,
    isCurrent: current === state,
    count: countOf(state),
  });
  return [
    { label: controller.t("jobs.all"), url, isCurrent: current === undefined, count: undefined },
    ...jobStates.map(tab),
  ];
}

export function jobLocals(controller: BaseController, url: string, job: JobInfo) {
  const { id, kind, state, attempts, maxAttempts, lastError } = job;
  const isIdle = state === "waiting" || state === "failed";
  return {
    id,
    kind,
    attempts,
    max_attempts: maxAttempts,
    error: lastError,
    status: controller.t(`jobs.states.${state}`),
    tone: tones[state],
    at: job.finishedAt ?? job.runAt,
    retry: isIdle ? act(controller, `${url}/${id}/retry`) : undefined,
    discard: isIdle ? act(controller, `${url}/${id}/discard`) : undefined,
  };
}

export function scheduleLocals(controller: BaseController, schedule: ScheduleInfo) {
  const { name, kind, timing, nextAt, lastAt } = schedule;
  return {
    name,
    kind: kind === name ? undefined : kind,
    timing,
    next_at: nextAt,
    last_at: lastAt,
    never: controller.t("jobs.never"),
  };
}

export function runLocals(controller: BaseController, url: string, run: BackgroundRunInfo) {
  const { id, resource, action, state, total, done, refused, failed, createdAt } = run;
  const processed = done + refused + failed;
  return {
    id,
    resource,
    action: humanize(action),
    created_at: createdAt,
    status: controller.t(`jobs.run_states.${state}`),
    tone: tones[state],
    progress: controller.t("jobs.progress", { processed, total: Math.max(total, processed) }),
    processed,
    max: Math.max(1, total, processed),
    failed: failed + refused,
    cancel: isOpen(run) ? act(controller, `${url}/runs/${id}/cancel`) : undefined,
  };
}
