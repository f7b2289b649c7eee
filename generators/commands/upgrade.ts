import { spawnSync } from "node:child_process";
import { usage } from "../errors.ts";
import { ApplicationFiles } from "../support/application.ts";
import { type Change, diffOf } from "../support/changes.ts";
import { applicationRoot } from "../support/load_app.ts";
import { fwCommand } from "../support/package.ts";
import { bold, cyan, yellow } from "../support/terminal.ts";
import { planUpgrade, upgradedRecords } from "../upgrade/index.ts";
import type { UpgradeNote } from "../upgrade/upgrade.ts";
import type { CommandContext } from "./command.ts";

/**
 * Rewrites what this release moved, or prints the diff; exits 1 when something is left for a person. With `--all` the
 * commands that follow an upgrade run as well, up to one that leaves something.
 */
export default async function upgrade({ options }: CommandContext): Promise<void> {
  for (const other of ["dryRun", "json"])
    if (options.all && options[other]) throw usage.FW_FLAGS_CLASH(["--all", other === "json" ? "--json" : "--dry-run"]);
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
    if (!options.all) {
      for (const { text, command } of commanded(notes))
        console.log(`${cyan("run".padStart(10))}  npx fw ${command.join(" ")} (${text})`);
      const rest = following(root, []).map((command) => `fw ${command.join(" ")}`);
      console.log(`\nThen: ${rest.join(", ")}. fw upgrade --all runs them.`);
    }
  }
  if (!options.json) for (const note of left) console.error(yellow(`left for you: ${sentence(note)}`));
  if (left.length > 0) process.exitCode = 1;
  if (options.all) runFollowing(root, notes, left.length > 0);
}

/** The notes with a command, one for each command. */
function commanded(notes: readonly UpgradeNote[]): Required<UpgradeNote>[] {
  const own = notes.filter((note): note is Required<UpgradeNote> => note.command !== undefined);
  return [...new Map(own.map((note) => [note.command.join(" "), note])).values()];
}

/** What follows the rewriting of code, in this order. Each exits 1 where it leaves something. */
const following = (root: string, notes: readonly UpgradeNote[]): (readonly string[])[] => [
  ...commanded(notes).map(({ command }) => command),
  ...(new ApplicationFiles(root).accounts().length > 0 ? [["generate", "fw:authlib:upgrade"]] : []),
  ["db:migrate"], // before the merge: some generators read columns
  ["diff", "--merge"],
  ["doctor"],
];

function runFollowing(root: string, notes: readonly UpgradeNote[], isAlreadyStopped: boolean): void {
  let isStopped = isAlreadyStopped;
  const commands = following(root, notes);
  while (!isStopped && commands.length > 0) {
    const command = commands.shift()!;
    console.log(`\n${bold(`fw ${command.join(" ")}`)}`);
    const { status } = spawnSync(process.execPath, [fwCommand, ...command], { cwd: root, stdio: "inherit" });
    isStopped = status !== 0;
  }
  if (!isStopped) return;
  process.exitCode = 1;
  if (commands.length > 0)
    console.error(
      yellow(
        `\nNot run: ${commands.map((one) => `fw ${one.join(" ")}`).join(", ")}. Edit what is left, and run fw upgrade --all again.`,
      ),
    );
}

const sentence = ({ file, line, text }: UpgradeNote): string => `${file}:${line}: ${text}.`;

function report(plan: readonly Change[], notes: readonly UpgradeNote[], isDryRun: boolean) {
  const shown = ({ capability, file, line, text }: UpgradeNote) => ({ capability, file, line, text });
  return {
    written: isDryRun ? [] : plan.map(({ path }) => path),
    rewritten: notes.filter(({ isLeft, command }) => !isLeft && !command).map(shown),
    left: notes.filter(({ isLeft }) => isLeft).map(shown),
    commands: commanded(notes).map((note) => ({ ...shown(note), command: ["fw", ...note.command].join(" ") })),
    ...(isDryRun && { diff: diffOf(plan) }),
  };
}
