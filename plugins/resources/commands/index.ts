import type { Command } from "framewright/generators";

/** Commands for the policies of resources. */
export const commands: readonly Command[] = [
  {
    name: "policies",
    summary: "Print what each account may do with each resource and field",
    example: "fw policies --check",
    options: {
      write: { summary: "Write it to config/policies.md, to be reviewed as a diff" },
      check: { summary: "Exit 1 if config/policies.md differs" },
    },
    load: () => import("./policies.ts"),
  },
];
