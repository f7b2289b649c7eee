import type { Plugin } from "../plugin.ts";

/** Plugins, and lists of plugins as some factories return them. */
export type PluginList = readonly (Plugin | PluginList)[];

/** The one place where an application says what it is made of; a factory may return a list. */
export function definePlugins(plugins: PluginList): readonly Plugin[] {
  return plugins.flatMap((entry) => (Array.isArray(entry) ? definePlugins(entry) : [entry as Plugin]));
}
