import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_JOB_KIND_TAKEN: (kind: string, first: string, second: string) =>
    `"${first}" and "${second}" both define the kind of job "${kind}". Rename one of them, or remove one of the plugins.`,
  FW_JOB_KIND_UNKNOWN: (kind: string, suggestion: string | undefined) =>
    `no plugin defines jobs of the kind "${kind}".${didYouMean(suggestion)} Define it in a plugin's apply: services.jobs.define("${kind}", …).`,
  FW_JOBS_TABLE: () => `the table "framewright_jobs" does not exist. Run: fw db:migrate`,
  FW_JOB_SEALED: () =>
    "the payload was encrypted with a secret that is no longer configured. Add that secret to SECRET_KEY_BASE_PREVIOUS, then run: fw jobs:retry",
});
