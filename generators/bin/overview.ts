import { commands } from "../commands/index.ts";
import { findApplication } from "../support/find_application.ts";
import { keptContributions, type ListedCommand } from "../support/kept_contributions.ts";

/** Whether a command line requests the list of all commands. */
export const isOverview = (name: string | undefined): boolean =>
  name === undefined || name === "--help" || name === "-h" || name === "help";

/** Fast path: the help as it is known without loading any code; undefined where plugins of an application have to be loaded. */
export function keptOverview(): string | undefined {
  const root = findApplication(process.cwd());
  if (root === undefined) return overviewOf(commands);
  const kept = keptContributions(root);
  return kept && overviewOf([...commands, ...kept.commands]);
}

/** The help that lists these commands. */
export function overviewOf(listed: readonly ListedCommand[]): string {
  const rows = listed.filter(isVisible).map(({ name, args, summary, example, brief }) => ({
    left: [name, args].filter(Boolean).join(" "),
    lines: brief ? [summary] : [summary, `  ${example}`],
  }));
  const width = Math.max(...rows.map(({ left }) => left.length));
  return [
    "Framewright: an application framework for Node in TypeScript.\n",
    "Usage: fw <command> [options]\n",
    ...rows.map(({ left, lines }) => `  ${left.padEnd(width)}  ${lines.join(`\n  ${"".padEnd(width)}  `)}`),
    "\n  fw <command> --help explains a command; fw --version prints the version.",
  ].join("\n");
}

export const isVisible = ({ hidden }: ListedCommand): boolean => !hidden;
