import type { PluginOrder } from "./plugin_order.ts";

/** A plugin of an application, as `fw plugins` prints it. */
export interface PluginInfo {
  name: string;
  /** The plugin that it is an instance of, under a name that the application chose. */
  instanceOf: string | undefined;
  provides: string | undefined;
  decorates: string | undefined;
  /** The plugin that it replaces. */
  replaces: string | undefined;
  requires: readonly string[];
  uses: readonly string[];
  framewright: string | undefined;
  /** Names of the variables that it reads from the environment. */
  env: readonly string[];
  /** How long its `apply` took. */
  applyMs: number;
}

/** What is known of each plugin, in the order in which they were applied. */
export const pluginInfo = ({ plugins, replaced }: PluginOrder, applyMs: ReadonlyMap<string, number>): PluginInfo[] =>
  plugins.map(({ name, provides, decorates, replaces, requires = [], uses = [], ...plugin }) => ({
    name,
    instanceOf: plugin.instanceOf,
    provides,
    decorates,
    replaces: replaces ? replaced.get(provides!)?.name : undefined,
    requires,
    uses,
    framewright: plugin.framewright,
    env: Object.keys(plugin.env ?? {}),
    applyMs: applyMs.get(name) ?? 0,
  }));
