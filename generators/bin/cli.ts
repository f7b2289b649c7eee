import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FramewrightError, suggest } from "framewright/kernel";
import type { Command } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { exitCodeOf, usage } from "../errors.ts";
import { helpText, isHelpRequested, parseArguments } from "../support/arguments.ts";
import { packageDirectory } from "../support/package.ts";

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
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return console.log(overview());
  if (name === "--version" || name === "-v") return console.log(version());
  const command = commands.find((known) => known.name === name || known.alias === name);
  if (!command)
    throw usage.FW_COMMAND_UNKNOWN(
      name,
      suggest(
        name,
        visible().map((known) => known.name),
      ),
    );
  const line = { ...command, line: `fw ${command.name}` };
  if (isHelpRequested(rest) && !command.raw) return console.log(helpText(line, command.summary));
  const parsed = command.raw ? { args: rest, options: {} } : parseArguments(rest, line);
  const { default: run } = await command.load();
  await run({ ...parsed, argv: [command.name, ...rest] });
}

const visible = (): Command[] => commands.filter(({ hidden }) => !hidden);

function version(): string {
  return (JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as { version: string }).version;
}

function overview(): string {
  const rows = visible().map(({ name, args, summary, example, brief }) => ({
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
