import { isSyncHook } from "./guard.ts";
import type { PluginShape } from "./plugin_shape.ts";
import { type TapOptions, tapOnlyHooks } from "./tap_only.ts";

type Slots = ReadonlyMap<string, Record<string, object>>;

/** What a plugin's `apply` gets of services and hooks, looked up by slot on access, with its options and `tap`. */
export function viewOf(plugin: PluginShape, services: ReadonlyMap<string, unknown>, slots: Slots): object {
  const { name, provides, decorates, given = {} } = plugin;
  const own = provides ?? decorates;
  const below = decorates === undefined ? undefined : services.get(decorates);
  const hooksOf = (slot: string) => {
    const hooks = slots.get(slot);
    return hooks && slot !== own ? tapOnlyHooks(name, slot, hooks) : hooks;
  };
  return {
    services: lookUp((slot) => (slot === decorates ? below : services.get(slot))),
    hooks: lookUp(hooksOf),
    name,
    options: given,
    tap: tapUnder(name),
  };
}

const lookUp = (find: (slot: string) => unknown): object =>
  new Proxy(Object.freeze({}), { get: (_, slot) => (typeof slot === "string" ? find(slot) : undefined) });

interface AnyTaps {
  tap(options: object, fn: unknown): void;
  tapPromise(options: object, fn: unknown): void;
}
/** `tap` of a plugin: its name is known. */
const tapUnder =
  (name: string) =>
  (hook: AnyTaps, fn: unknown, options: TapOptions = {}) =>
    isSyncHook(hook) ? hook.tap({ ...options, name }, fn) : hook.tapPromise({ ...options, name }, fn);
