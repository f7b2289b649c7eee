import type { OptionSpecs } from "../generator.ts";

/** The argument of a command's function. */
export interface CommandContext {
  args: readonly string[];
  /** By their names in lower camel case: `--password-stdin` is `passwordStdin`. */
  options: Readonly<Record<string, unknown>>;
  /** The arguments of `fw`, unparsed, with the command's name first. */
  argv: readonly string[];
}
/** What a command does: the default export of the module that `load` imports. An error ends `fw` with exit code 1. */
export type RunCommand = (context: CommandContext) => void | Promise<void>;

/**
 * A command of `fw`. A plugin lists its own:
 * `commands: [{ name: "acme:report", summary: "Print the report", example: "fw acme:report", load: () => import("./report.ts") }]`.
 */
export interface Command {
  /** With the prefix of its author: `acme:report`. */
  name: string;
  alias?: string;
  /** As in "<id> [part]"; arguments in angle brackets are required. */
  args?: string;
  /** One line, without a full stop. */
  summary: string;
  /** A complete command line, printed by the help and in error messages. */
  example: string;
  options?: OptionSpecs;
  /** Not listed: run by other commands. */
  hidden?: boolean;
  /** Listed on one line, without its example. */
  brief?: boolean;
  /** Parses its own options, which depend on its first argument. */
  raw?: boolean;
  /** Loads the code of the command; nothing of it is loaded before. */
  load(): Promise<{ default: RunCommand }>;
}
