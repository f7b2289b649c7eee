import type { Plugin } from "../plugin.ts";

/** Plugins, and lists of plugins as some factories return them. */
export type PluginList = readonly (Plugin | PluginList)[];

/** The one list of an application's plugins; a factory may return a list. */
export function definePlugins(plugins: PluginList): readonly Plugin[] {
  return plugins.flatMap((entry) => (Array.isArray(entry) ? definePlugins(entry) : [entry as Plugin]));
}
