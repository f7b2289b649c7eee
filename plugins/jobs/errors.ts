import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_JOB_KIND_TAKEN: (kind: string, first: string, second: string) =>
    `"${first}" and "${second}" both define the kind of job "${kind}". Name one of them otherwise, or leave one plugin out.`,
  FW_JOB_KIND_UNKNOWN: (kind: string, suggestion: string | undefined) =>
    `nobody does jobs of the kind "${kind}".${didYouMean(suggestion)} Define it in a plugin's apply: services.jobs.define("${kind}", …).`,
  FW_JOBS_TABLE: () => `the table "framewright_jobs" does not exist. Run: fw db:migrate`,
  FW_JOB_SEALED: () =>
    "the payload was sealed under a secret that is not known here. Add that secret to SECRET_KEY_BASE_PREVIOUS, then fw jobs:retry.",
});
