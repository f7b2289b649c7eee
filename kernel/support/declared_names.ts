import { distinctPlugins } from "./instances.ts";
import type { PluginShape } from "./plugin_shape.ts";
import { Registry } from "./registry.ts";

/** What plugins list under names, as layers above complete it. */
interface Declared {
  readonly commands?: readonly { readonly name: string; readonly alias?: string }[];
  readonly generators?: Readonly<Record<string, unknown>>;
}

/** Commands and generators are loaded by `fw` alone; two plugins that list the same one are refused at boot already. @throws FW_REGISTRY_TAKEN */
export function checkDeclaredNames(plugins: readonly PluginShape[]): void {
  let owner = "";
  const registry = (what: string) => new Registry<undefined>(what, () => owner, { isReplaceable: false });
  const [known, generating] = [registry("the command"), registry("the generator")];
  for (const plugin of distinctPlugins(plugins)) {
    owner = plugin.name;
    const { commands = [], generators = {} } = plugin as Declared;
    for (const { name, alias } of commands) {
      known.add(name, undefined);
      if (alias !== undefined) known.add(alias, undefined);
    }
    for (const name of Object.keys(generators)) generating.add(name, undefined);
  }
}
