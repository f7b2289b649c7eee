import { FramewrightError, messageOf, suggest } from "framewright/kernel";
import type { Command } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { exitCodeOf, usage } from "../errors.ts";
import { helpText, isHelpRequested, parseArguments } from "../support/arguments.ts";
import { findApplication } from "../support/find_application.ts";
import { frameworkVersion } from "../support/package.ts";
import { yellow } from "../support/terminal.ts";
import { isOverview, isVisible, overviewOf } from "./overview.ts";

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
  if (name === undefined || isOverview(name))
    return console.log(overviewOf([...commands, ...(await pluginCommands())]));
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
  const added = await pluginCommands();
  const found = added.find(isNamed);
  if (found) return found;
  const names = [...commands, ...added].filter(isVisible).map((known) => known.name);
  throw usage.FW_COMMAND_UNKNOWN(name, suggest(name, names));
}

/** The commands of the plugins of the application around; none, and a warning, if they can't be loaded. */
async function pluginCommands(): Promise<readonly Command[]> {
  const root = findApplication(process.cwd());
  if (root === undefined) return [];
  try {
    const { pluginCommands: commandsOf } = await import("../support/plugin_commands.ts");
    return await commandsOf(root);
  } catch (error) {
    if (error instanceof FramewrightError && error.code === "FW_REGISTRY_TAKEN") throw error;
    console.error(yellow(`the commands of this application's plugins could not be loaded: ${messageOf(error)}`));
    return [];
  }
}

/** The text of an error: the message of a FramewrightError, the stack of any other. */
function errorText(error: unknown): string {
  if (!(error instanceof FramewrightError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause =
    error.cause instanceof Error && !(error.cause instanceof FramewrightError) ? `\n${error.cause.stack}` : "";
  return error.message + cause;
}
