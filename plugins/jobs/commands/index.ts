import type { Command, OptionSpec } from "framewright/generators";

const env: OptionSpec = { summary: "development, test or production", value: "NAME" };
const json: OptionSpec = { summary: "Print JSON" };

const load = () => import("./jobs.ts");

/** Commands for background jobs. */
export const commands: readonly Command[] = [
  {
    name: "jobs",
    summary: "List jobs and their states, the newest first, then the schedules",
    example: "fw jobs --state=failed",
    options: {
      env,
      state: { summary: "waiting, running, done or failed", value: "STATE" },
      kind: { summary: "Jobs of one kind only, as in mail", value: "KIND" },
      schedules: { summary: "The schedules alone: when each is due next, and was last" },
      json,
    },
    load,
  },
  {
    name: "jobs:retry",
    args: "<id>",
    summary: "Retry a failed job; all: every failed job",
    example: "fw jobs:retry all",
    options: { env },
    load,
  },
  {
    name: "jobs:discard",
    args: "<id>",
    summary: "Remove a job that is not running",
    example: "fw jobs:discard 17",
    options: { env },
    load,
  },
  {
    name: "jobs:work",
    summary: "Run all due jobs, then exit",
    example: "fw jobs:work --watch",
    options: { env, watch: { summary: "Keep running until the process is stopped" } },
    load,
  },
];
