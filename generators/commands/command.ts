import type { OptionSpecs } from "../generator.ts";

export interface CommandContext {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
  /** The arguments of `fw`, unparsed, with the command's name first. */
  argv: readonly string[];
}
export type RunCommand = (context: CommandContext) => void | Promise<void>;
export interface Command {
  name: string;
  alias?: string;
  args?: string;
  summary: string;
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
