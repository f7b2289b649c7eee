import type { KernelHooks, Settings } from "./hooks.ts";

/**
 * The slots of the bus, extended by declaration merging:
 * `declare module "framewright/kernel" { interface Slots { clock: { service: Clock; hooks: ClockHooks } } }`
 */
export interface Slots {
  kernel: { hooks: KernelHooks };
}
/** The name of a slot. */
export type Slot = keyof Slots & string;
/** The service that fills a slot, or void for a slot of hooks alone. */
// biome-ignore lint/suspicious/noConfusingVoidType: what apply() may then return
export type Service<S extends Slot> = Slots[S] extends { service: infer T } ? T : void;
/** The hooks that a slot opens. */
export type Hooks<S extends Slot> = Slots[S] extends { hooks: infer T } ? T : Record<never, never>;

/** What a plugin's `apply` is handed. What it requires is there; every other slot is typed as possibly absent. */
export interface PluginKernel<Requires extends Slot, Provides extends Slot> {
  readonly services: { readonly [S in Requires]: Service<S> } & { readonly [S in Slot]?: Service<S> };
  readonly hooks: { readonly [S in Requires | Provides | "kernel"]: Hooks<S> } & {
    readonly [S in Slot]?: Hooks<S>;
  };
  readonly settings: Settings;
  /** The plugin whose `apply` runs right now, for a service that remembers who registered what; undefined once all are applied. */
  registrant(): string | undefined;
  /** Undone last-in first-out when the application closes, or when boot fails. */
  onClose(undo: () => void | Promise<void>): void;
}

interface Shape<Requires extends Slot, Provides extends Slot> {
  /** Unique. Taps are made under it, and errors quote it. */
  name: string;
  /** Slots it needs; their fillers are applied first. A required slot that it also provides, with `replaces`, is decorated. */
  requires?: readonly Requires[];
  /** The slot it fills. */
  provides?: Provides;
  /** Takes the slot over from the plugin that would have filled it. */
  replaces?: boolean;
  /** Milliseconds that its `apply`, and each of its taps that is awaited at boot, may take; 60,000 unless told. */
  bootWithin?: number;
  /** Milliseconds that each of its undos may take at close; 10,000 unless told. */
  closeWithin?: number;
  /** Taps hooks, registers, and returns the slot's service. No I/O: that belongs in the `boot` hook. */
  apply(kernel: PluginKernel<Requires, Provides>): Service<Provides> | Promise<Service<Provides>>;
}

/** A filler of a slot that has hooks must open them: all hooks exist before the first `apply`. */
type Opens<P extends Slot> = [P] extends [never]
  ? { hooks?: never }
  : Slots[P] extends { hooks: infer H }
    ? { hooks(): H }
    : { hooks?: never };

declare const defined: unique symbol;
/** A plugin as `definePlugin` returns it; its types have done their work. */
export interface Plugin {
  readonly [defined]: true;
  readonly name: string;
}

/** What the kernel sees of a plugin, with the slots as plain names. */
export interface PluginShape extends Plugin {
  readonly requires?: readonly string[];
  readonly provides?: string;
  readonly replaces?: boolean;
  readonly bootWithin?: number;
  readonly closeWithin?: number;
  hooks?(): Record<string, unknown>;
  apply(kernel: object): unknown;
}

/**
 * Defines a plugin. The types of `services` and `hooks` in `apply` follow from `requires` and `provides`.
 * Wrap it in a factory that takes one options object: `export const clock = ({ zone = "UTC" } = {}) => definePlugin({ … })`.
 */
export function definePlugin<const Requires extends Slot = never, Provides extends Slot = never>(
  plugin: Shape<Requires, Provides> & Opens<Provides>,
): Plugin {
  return plugin as unknown as Plugin;
}

/** Plugins, and lists of plugins as some factories return them. */
export type PluginList = readonly (Plugin | PluginList)[];

/** The one place where an application says what it is made of; a factory may return a list. */
export function definePlugins(plugins: PluginList): readonly Plugin[] {
  return plugins.flatMap((entry) => (Array.isArray(entry) ? definePlugins(entry) : [entry as Plugin]));
}
