import { start } from "node:repl";
import { usage } from "../errors.ts";
import { applicationRoot, openApp } from "../support/load_app.ts";
import { demodulize } from "../support/names.ts";
import type { CommandContext } from "./command.ts";

/** A REPL in the booted application; also runs piped input. */
export default async function openConsole({ options }: CommandContext): Promise<void> {
  const env = options.env as string | undefined;
  const known = ["development", "test", "production"];
  if (env !== undefined && !known.includes(env)) throw usage.FW_FLAG_CHOICE("--env", env, known);
  const app = await openApp({ root: applicationRoot(), ...(env === undefined ? {} : { env }) });
  app.means = "console";
  const prompt = start({ prompt: process.stdin.isTTY ? `${app.settings.env}> ` : "", useGlobal: false });
  const models = app.constants.all("models").map(({ name, value }) => [demodulize(name), value]);
  const database = app.kernel.has("database") ? app.kernel.service("database") : undefined;
  const query = (model: Parameters<NonNullable<typeof database>["query"]>[0]) => database?.query(model);
  Object.assign(prompt.context, Object.fromEntries(models), { app, query });
  await new Promise<void>((resolve) => prompt.once("exit", resolve));
  await app.close();
}
