import { distinctPlugins, type Plugin, Registry } from "framewright/kernel";
import type { Command } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { applicationPlugins } from "./load_app.ts";

/** The commands that an application's plugins add. @throws FW_REGISTRY_TAKEN when two have the same name */
export async function pluginCommands(root: string): Promise<Command[]> {
  return commandsOf(await applicationPlugins(root));
}

function commandsOf(plugins: readonly Plugin[]): Command[] {
  let owner = "framewright";
  const registry = new Registry<Command>("the command", () => owner, { isReplaceable: false });
  for (const command of commands) for (const name of namesOf(command)) registry.add(name, command);
  const distinct = distinctPlugins(plugins);
  for (const { name, commands: own = [] } of distinct) {
    owner = name;
    for (const command of own) for (const known of namesOf(command)) registry.add(known, command);
  }
  return distinct.flatMap((plugin) => plugin.commands ?? []);
}
const namesOf = ({ name, alias }: Command): string[] => (alias === undefined ? [name] : [name, alias]);
