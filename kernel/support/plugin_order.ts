import { errors } from "../errors.ts";
import type { Plugin } from "../plugin.ts";
import { describe } from "./error_table.ts";
import type { PluginShape } from "./plugin_shape.ts";
import { suggest } from "./suggest.ts";

/** Plugins in the order in which they are applied. */
export interface PluginOrder {
  plugins: readonly PluginShape[];
  /** The plugin whose service fills each slot. */
  fillers: ReadonlyMap<string, PluginShape>;
  /** The plugin that was listed and left out, because another replaces it, by slot. */
  replaced: ReadonlyMap<string, PluginShape>;
}

/** How a slot is filled as a rule, for errors: `{ passwordHasher: 'passwords() of "framewright/plugins/passwords"' }`. */
export type Factories = Readonly<Record<string, string>>;

/**
 * Sorts plugins by what they require; otherwise the listed order is kept.
 * A plugin that `replaces` a slot takes the other's place: that one is left out altogether.
 * One that decorates a slot comes after its filler and before everyone who requires or uses the slot.
 * @throws FW_PLUGIN_SHAPE, FW_PLUGIN_DUPLICATE, FW_SLOT_TAKEN, FW_SLOT_EMPTY, FW_PLUGIN_CYCLE
 */
export function orderPlugins(listed: readonly Plugin[], factories: Factories = {}): PluginOrder {
  const plugins = listed.map(checkShape);
  refuseDuplicates(plugins);
  const chains = fillChains(plugins, factories);
  const kept = plugins.filter((plugin) => {
    const slot = slotOf(plugin);
    return slot === undefined || chains.get(slot)!.includes(plugin);
  });
  const fillers = new Map([...chains].map(([slot, chain]) => [slot, chain.at(-1)!]));
  const replaced = new Map(
    plugins.flatMap((one) => (one.provides && !kept.includes(one) ? [[one.provides, one]] : [])),
  );
  return { plugins: sort(kept, chains, factories), fillers, replaced };
}

function checkShape(plugin: Plugin, index: number): PluginShape {
  const shape = plugin as PluginShape;
  if (typeof shape === "function") throw errors.FW_PLUGIN_SHAPE(index, "it is a function");
  if (typeof shape !== "object" || shape === null) throw errors.FW_PLUGIN_SHAPE(index, `it is ${describe(plugin)}`);
  if (typeof shape.name !== "string" || shape.name === "") throw errors.FW_PLUGIN_SHAPE(index, "it has no name");
  if (typeof shape.apply !== "function") throw errors.FW_PLUGIN_SHAPE(index, `"${shape.name}" has no apply`);
  for (const field of ["requires", "uses"] as const) {
    if (shape[field] !== undefined && !Array.isArray(shape[field]))
      throw errors.FW_PLUGIN_SHAPE(index, `the ${field} of "${shape.name}" is ${describe(shape[field])}, and no list`);
  }
  if (shape.replaces && !shape.provides) throw errors.FW_SLOT_NOTHING_TO_REPLACE(shape.name);
  if (shape.provides && (shape.decorates || shape.requires?.includes(shape.provides)))
    throw errors.FW_SLOT_OWN(shape.name, shape.provides);
  return shape;
}

/** The slot whose service a plugin returns. */
const slotOf = ({ provides, decorates }: PluginShape): string | undefined => provides ?? decorates;

function refuseDuplicates(plugins: readonly PluginShape[]): void {
  const seen = new Map([["kernel", -1]]);
  for (const [index, { name, instances }] of plugins.entries()) {
    const first = seen.get(name);
    if (first !== undefined) throw errors.FW_PLUGIN_DUPLICATE(name, first, index, instances);
    seen.set(name, index);
  }
}

/** For each slot: its base filler, then the decorators in listed order. */
function fillChains(plugins: readonly PluginShape[], factories: Factories): Map<string, PluginShape[]> {
  const bases = new Map<string, PluginShape>();
  for (const plugin of plugins) {
    if (!plugin.provides) continue;
    const slot = plugin.provides;
    if (slot === "kernel") throw errors.FW_SLOT_TAKEN(slot, "kernel", plugin.name);
    const current = bases.get(slot);
    if (current && Boolean(current.replaces) === Boolean(plugin.replaces)) {
      throw errors.FW_SLOT_TAKEN(slot, current.name, plugin.name, plugin.replaces);
    }
    if (!current || plugin.replaces) bases.set(slot, plugin);
  }
  const chains = new Map([...bases].map(([slot, base]) => [slot, [base]]));
  for (const plugin of plugins) {
    if (!plugin.decorates) continue;
    const chain = chains.get(plugin.decorates);
    if (!chain) throw slotEmpty(plugin, plugin.decorates, chains, factories);
    chain.push(plugin);
  }
  return chains;
}

function sort(
  plugins: readonly PluginShape[],
  chains: Map<string, PluginShape[]>,
  factories: Factories,
): PluginShape[] {
  const sorted: PluginShape[] = [];
  const path: PluginShape[] = [];
  const visit = (plugin: PluginShape) => {
    if (sorted.includes(plugin)) return;
    if (path.includes(plugin)) {
      throw errors.FW_PLUGIN_CYCLE([...path.slice(path.indexOf(plugin)), plugin].map(({ name }) => name));
    }
    path.push(plugin);
    for (const slot of neededSlots(plugin, chains)) visit(needed(plugin, slot, chains, factories));
    path.pop();
    sorted.push(plugin);
  };
  plugins.forEach(visit);
  return sorted;
}

/** The slots whose fillers come first: required ones, and of those that are used or decorated the filled ones. */
function neededSlots({ requires = [], uses = [], decorates }: PluginShape, chains: Map<string, unknown>): string[] {
  const used = [...uses, ...(decorates === undefined ? [] : [decorates])];
  return [...requires.filter((slot) => slot !== "kernel"), ...used.filter((slot) => chains.has(slot))];
}

/** Who must be applied before `plugin`, because of `slot`: the last of the chain, or for a decorator the one below it. */
function needed(
  plugin: PluginShape,
  slot: string,
  chains: Map<string, PluginShape[]>,
  factories: Factories,
): PluginShape {
  const chain = chains.get(slot);
  if (!chain) throw slotEmpty(plugin, slot, chains, factories);
  const own = chain.indexOf(plugin);
  return own > 0 ? chain[own - 1]! : chain.at(-1)!;
}

function slotEmpty({ name }: PluginShape, slot: string, chains: Map<string, unknown>, factories: Factories): Error {
  const provided = [...chains.keys()];
  return errors.FW_SLOT_EMPTY(name, slot, suggest(slot, provided), provided, factories[slot]);
}
