import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./command.ts";

export default async function printHooks({ options }: CommandContext): Promise<void> {
  const taps = await withApp({}, async (app) => app.kernel.taps());
  if (options.json) return console.log(JSON.stringify(taps, null, 2));
  console.log(
    table(
      ["hook", "plugin", "stage", "kind"],
      taps.map(({ hook, plugin, stage, kind }) => [hook, plugin, String(stage), kind]),
    ),
  );
}
