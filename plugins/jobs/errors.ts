import { didYouMean, errorTable } from "framewright/kernel";

/** The errors of jobs, as every filler of the slot throws them. */
export const errors = errorTable({
  FW_JOB_KIND_TAKEN: (kind: string, first: string, second: string) =>
    `"${first}" and "${second}" both define the kind of job "${kind}". Rename one of them, or remove one of the plugins.`,
  FW_JOB_KIND_UNKNOWN: (kind: string, suggestion: string | undefined) =>
    `no plugin defines jobs of the kind "${kind}".${didYouMean(suggestion)} Define it in a plugin's apply: services.jobs.define("${kind}", …).`,
  FW_JOBS_TABLE: () =>
    `the table "framewright_jobs" does not exist. Run: fw generate fw:jobs:install, then fw db:migrate`,
  FW_JOB_SEALED: () =>
    "the payload was encrypted with a secret that is no longer configured. Add that secret to SECRET_KEY_BASE_PREVIOUS, then run: fw jobs:retry",
  FW_SCHEDULE_TAKEN: (name: string, first: string, second: string) =>
    `${twice(first, second)} the schedule "${name}" (case does not count). Rename one of the two, or remove it.`,
  FW_SCHEDULE_KIND: (name: string, owner: string, kind: string, suggestion: string | undefined) =>
    `"${owner}" declares the schedule "${name}" for jobs of the kind "${kind}", and no plugin defines it.${didYouMean(suggestion)} Define it: services.jobs.define("${kind}", …), or name another: jobs.every("${name}", { kind: "…", … }).`,
  FW_SCHEDULE_OPTION: (name: string, owner: string, expected: string) =>
    `"${owner}" declares the schedule "${name}", and that is not valid: expected ${expected}. Correct its jobs.every(…).`,
  FW_SCHEDULE_CRON: (name: string, owner: string, text: string, why: string) =>
    `"${owner}" declares the schedule "${name}" with the cron text "${text}": ${why}. Give five fields: minute, hour, day, month and weekday, as in "0 3 * * *" or "*/15 8-18 * * MON-FRI".`,
  FW_SCHEDULE_ZONE: (name: string, owner: string, zone: string, suggestion: string | undefined) =>
    `"${owner}" declares the schedule "${name}" in the time zone "${zone}", which does not exist.${didYouMean(suggestion)} Give a name of the IANA database, as in "Europe/Zurich", or leave it out for UTC.`,
  FW_SCHEDULES_TABLE: () =>
    `the table "framewright_job_schedules" does not exist. Run: fw generate fw:jobs:install, then fw db:migrate`,
  FW_JOB_PAGES_ALLOW: () =>
    "jobPages() does not say who may see all jobs. Add a function: jobPages({ allow: ({ currentUser }) => currentUser !== undefined }).",
  FW_JOB_PAGES_TENANT: (portal: string) =>
    `${portal} serves one tenant at a time, and jobPages() shows the jobs of all of them. Use it in a portal without scopeToEntity.`,
});

const twice = (first: string, second: string): string =>
  first === second ? `"${first}" declares twice` : `"${first}" and "${second}" both declare`;
