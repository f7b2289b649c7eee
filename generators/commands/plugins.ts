import type { PluginInfo } from "framewright/kernel";
import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./command.ts";

/** Lists the plugins of a booted application. */
export default async function printPlugins({ options }: CommandContext): Promise<void> {
  const plugins = await withApp({}, async (app) => app.kernel.pluginInfo());
  if (options.json) return console.log(JSON.stringify(plugins, null, 2));
  console.log(table(["plugin", "slot", "requires", "uses", "variables", "ms"], plugins.map(row)));
}

function row({ name, instanceOf, requires, uses, env, applyMs, ...plugin }: PluginInfo): string[] {
  const named = instanceOf === undefined ? name : `${name} (${instanceOf})`;
  return [named, slotText(plugin), requires.join(", "), uses.join(", "), env.join(", "), applyMs.toFixed(1)];
}

function slotText({ provides, decorates, replaces }: Pick<PluginInfo, "provides" | "decorates" | "replaces">): string {
  if (decorates !== undefined) return `decorates ${decorates}`;
  return [provides ?? "", ...(replaces === undefined ? [] : [`(replaces ${replaces})`])].join(" ").trim();
}
