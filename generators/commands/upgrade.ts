import { type Change, diffOf } from "../support/changes.ts";
import { applicationRoot } from "../support/load_app.ts";
import { cyan, yellow } from "../support/terminal.ts";
import { planUpgrade, upgradedRecords } from "../upgrade/index.ts";
import type { UpgradeNote } from "../upgrade/upgrade.ts";
import type { CommandContext } from "./command.ts";

/** Rewrites what this release moved, or prints the diff; exits 1 when something is left for a person. */
export default async function upgrade({ options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  const planned = planUpgrade(root);
  const { changes, notes } = planned;
  const plan = changes.plan().filter(({ outcome }) => outcome === "edit");
  const left = notes.filter(({ isLeft }) => isLeft);
  if (!options.dryRun) changes.commit([...plan, ...upgradedRecords(root, planned, plan)]);
  if (options.json) console.log(JSON.stringify(report(plan, notes, options.dryRun === true), null, 2));
  else if (options.dryRun) process.stdout.write(diffOf(plan));
  else {
    for (const { path } of plan) console.log(`${cyan("edit".padStart(10))}  ${path}`);
    if (plan.length === 0) console.log("There is nothing to rewrite.");
  }
  if (!options.json) for (const note of left) console.error(yellow(`left for you: ${sentence(note)}`));
  if (left.length > 0) process.exitCode = 1;
}

const sentence = ({ file, line, text }: UpgradeNote): string => `${file}:${line}: ${text}.`;

function report(plan: readonly Change[], notes: readonly UpgradeNote[], isDryRun: boolean) {
  const shown = ({ capability, file, line, text }: UpgradeNote) => ({ capability, file, line, text });
  return {
    written: isDryRun ? [] : plan.map(({ path }) => path),
    rewritten: notes.filter(({ isLeft }) => !isLeft).map(shown),
    left: notes.filter(({ isLeft }) => isLeft).map(shown),
    ...(isDryRun && { diff: diffOf(plan) }),
  };
}
