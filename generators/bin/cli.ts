import { FramewrightError, messageOf, suggest } from "framewright/kernel";
import type { Command } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { exitCodeOf, usage } from "../errors.ts";
import { findApplication } from "../support/application.ts";
import { helpText, isHelpRequested, parseArguments } from "../support/arguments.ts";
import { keptContributions, type ListedCommand } from "../support/kept_contributions.ts";
import { frameworkVersion } from "../support/package.ts";
import { yellow } from "../support/terminal.ts";

/** Runs one `fw` command line. Returns the exit code: 0; 1 after a failure; 2 for a wrong command line. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    await dispatch(argv);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (error) {
    console.error(errorText(error));
    return exitCodeOf(error);
  }
}

async function dispatch([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return console.log(await overview());
  if (name === "--version" || name === "-v") return console.log(frameworkVersion());
  const command = await commandOf(name);
  const line = { ...command, line: `fw ${command.name}` };
  if (isHelpRequested(rest) && !command.raw) return console.log(helpText(line, command.summary));
  const parsed = command.raw ? { args: rest, options: {} } : parseArguments(rest, line);
  const { default: run } = await command.load();
  await run({ ...parsed, argv: [command.name, ...rest] });
}

/** A command of the framework, else of the application's plugins. @throws FW_COMMAND_UNKNOWN */
async function commandOf(name: string): Promise<Command> {
  const isNamed = (known: Command) => known.name === name || known.alias === name;
  const own = commands.find(isNamed);
  if (own) return own;
  const added = await fromPlugins(pluginCommands);
  const found = added.find(isNamed);
  if (found) return found;
  const names = [...commands, ...added].filter(isVisible).map((known) => known.name);
  throw usage.FW_COMMAND_UNKNOWN(name, suggest(name, names));
}

const pluginCommands = async (root: string): Promise<readonly Command[]> =>
  (await import("../support/plugin_commands.ts")).pluginCommands(root);
/** For the help, which needs no code. */
const listedCommands = async (root: string): Promise<readonly ListedCommand[]> =>
  keptContributions(root)?.commands ?? pluginCommands(root);

/** What the plugins of the application around bring; nothing, and a warning, if they can't be loaded. */
async function fromPlugins<T>(load: (root: string) => Promise<readonly T[]>): Promise<readonly T[]> {
  const root = findApplication(process.cwd());
  if (root === undefined) return [];
  try {
    return await load(root);
  } catch (error) {
    if (error instanceof FramewrightError && error.code === "FW_REGISTRY_TAKEN") throw error;
    console.error(yellow(`the commands of this application's plugins could not be loaded: ${messageOf(error)}`));
    return [];
  }
}

const isVisible = ({ hidden }: ListedCommand): boolean => !hidden;

async function overview(): Promise<string> {
  const listed: readonly ListedCommand[] = [...commands, ...(await fromPlugins(listedCommands))];
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

/** The text of an error: the message of a FramewrightError, the stack of any other. */
function errorText(error: unknown): string {
  if (!(error instanceof FramewrightError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause =
    error.cause instanceof Error && !(error.cause instanceof FramewrightError) ? `\n${error.cause.stack}` : "";
  return error.message + cause;
}
