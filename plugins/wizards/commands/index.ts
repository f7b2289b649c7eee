import type { Command, OptionSpec } from "framewright/generators";

const env: OptionSpec = { summary: "development, test or production", value: "NAME" };
const json: OptionSpec = { summary: "Print JSON" };

/** Commands for the runs of wizards. */
export const commands: readonly Command[] = [
  {
    name: "wizards:sweep",
    summary: "Delete expired and old runs, and reopen abandoned ones",
    example: "fw wizards:sweep --json",
    options: { env, json },
    load: () => import("./sweep.ts"),
  },
];
