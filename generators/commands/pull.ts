import type { CommandContext } from "./command.ts";
import generate from "./generate.ts";

/** `fw db:pull` is `fw generate fw:db:pull`. */
export default (context: CommandContext): Promise<void> =>
  generate({ ...context, args: ["fw:db:pull", ...context.args] });
