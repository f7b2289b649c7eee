import type { KernelHooks, Settings } from "./hooks.ts";
import type { AnswerRule } from "./support/answer_rule.ts";
import type { EnvRules, EnvValues } from "./support/env.ts";
import { named, rulesOf } from "./support/instances.ts";
import { checkOptions, type OptionRules, type OptionValues } from "./support/options.ts";
import type { PluginShape } from "./support/plugin_shape.ts";
import type { PortalRules } from "./support/portal_tap.ts";
import type { TapHook, TapOnly } from "./support/tap_only.ts";
import type { TraceTaps } from "./support/trace.ts";

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

/** What a plugin may define beside the kernel's own fields, as `commands`; layers above complete it. */
export interface Contributions {}

/** The argument of a plugin's `apply`. What it requires is there; every other slot is typed as possibly absent. */
export interface PluginKernel<Requires extends Slot, Provides extends Slot, O = unknown, E = unknown> {
  readonly services: { readonly [S in Requires]: Service<S> } & { readonly [S in Slot]?: Service<S> };
  readonly hooks: { readonly [S in Provides]: Hooks<S> } & {
    readonly [S in Exclude<Requires | "kernel", Provides>]: TapOnly<Hooks<S>>;
  } & { readonly [S in Exclude<Slot, Provides>]?: TapOnly<Hooks<S>> };
  readonly settings: Settings;
  /** The name of the plugin; that of its instance, where the application gave it one by `as`. */
  readonly name: string;
  /** The options of the plugin, checked by its rules. */
  readonly options: OptionValues<O>;
  /** The variables of the plugin, read by its rules. */
  readonly env: EnvValues<E>;
  readonly tap: TapHook;
  /** The plugin whose `apply` runs right now, for a service that remembers who registered what; undefined once all are applied. */
  registrant(): string | undefined;
  /** Undone last-in first-out when the application closes, or when boot fails. */
  onClose(undo: () => void | Promise<void>): void;
}

interface Shape<Requires extends Slot, Provides extends Slot, Decorates extends Slot, O, E, I> extends Contributions {
  /** Unique. Taps are made under it, and errors quote it. */
  name: string;
  /**
   * Whether an application may list it several times, each under a name of its own: its factory takes that as the option `as`,
   * and `apply` gets it as `name`. It provides no slot. Its `migrate/` is run for each, the other folders are shared.
   */
  instances?: [Provides] extends [never] ? I : never;
  /** What a factory without rules of `options` was given as `as`. */
  as?: [I] extends [true] ? string | undefined : never;
  /** The versions of the framework that it works with, as in "^0.2"; any other is refused at boot. */
  framewright?: string;
  /** Its folder: `views/`, `locales/`, `migrate/` and `assets/` in it are added where they exist. */
  directory?: string;
  /** Rules of its options: `definePlugin` then returns a factory that takes them. */
  options?: O;
  /** Rules of the variables that it reads from the environment, checked at boot. */
  env?: E;
  /** Slots it needs; their fillers are applied first. */
  requires?: readonly Requires[];
  /** Slots it uses where they are filled: their fillers are applied first, too. */
  uses?: readonly Slot[];
  /** The slot it fills. */
  provides?: Provides;
  /** Takes the slot over from the plugin that would have filled it, and opens its hooks anew. */
  replaces?: boolean;
  /** The slot whose service it wraps: `apply` gets that service and returns its own. The slot's hooks stay. */
  decorates?: Decorates;
  /** Milliseconds that its `apply`, and each of its taps that is awaited at boot, may take; 60,000 by default. */
  bootWithin?: number;
  /** Milliseconds that its awaited tap of the hook "close", and each of its undos, may take; 10,000 by default. */
  closeWithin?: number;
  /** Called before hooks are opened: returns what gets each call of a tap, of any plugin. Nothing is measured where none does. */
  trace?(settings: Settings): TraceTaps | undefined;
  /** What taps of its bail hooks may return, by the hook's name: another answer is an error that names the plugin. */
  answers?: Provides extends never ? never : { readonly [H in keyof Hooks<Provides>]?: AnswerRule };
  /**
   * Hooks whose taps fail alone, as those of parts of pages: what one throws is logged by plugin and hook, the others run, and
   * what is given here may leave something in its place; it gets the tap's arguments.
   */
  isolated?: Provides extends never ? never : { readonly [H in keyof Hooks<Provides>]?: Replacing<Hooks<Provides>[H]> };
  /** Taps hooks, registers, and returns the slot's service. No I/O: that belongs in the `boot` hook. */
  apply(
    kernel: PluginKernel<Requires | Decorates, Provides | Decorates, O, E>,
  ): Service<Provides | Decorates> | Promise<Service<Provides | Decorates>>;
}

/** Leaves something in the place of a tap of this hook. */
type Replacing<H> = H extends { promise(...args: infer A): unknown } ? (...args: A) => void : never;

/** A filler of a slot that has hooks must open them: all hooks exist before the first `apply`. */
type Opens<P extends Slot> = [P] extends [never]
  ? { hooks?: never }
  : Slots[P] extends { hooks: infer H }
    ? { hooks(): H } & FindsPortals<PortalRules<H>>
    : { hooks?: never };
/** The owner of hooks whose taps may be for one portal defines how the portal of a call is found. */
type FindsPortals<Rules> = keyof Rules extends never ? { portalOf?: never } : { portalOf: Rules };

declare const defined: unique symbol;
/** A plugin as `definePlugin` returns it; its types have done their work. */
export interface Plugin extends Contributions {
  readonly [defined]: true;
  readonly name: string;
}
/** Returns the plugin with options, which are checked at once. @throws FW_OPTION_UNKNOWN, FW_OPTION_INVALID */
export type PluginFactory<O, Instances = false> = (options?: OptionValues<O> & NameOf<Instances>) => Plugin;
/** The option of a plugin that may be listed several times. */
type NameOf<Instances> = Instances extends true ? { readonly as?: string | undefined } : unknown;

/**
 * Defines a plugin. The types of `services`, `hooks`, `options` and `env` in `apply` follow from what it declares.
 * With `options` it returns a factory: `const clock = definePlugin({ name: "clock", options: { zone: option.string }, … })`,
 * used as `clock({ zone: "UTC" })`.
 */
export function definePlugin<
  const Requires extends Slot = never,
  Provides extends Slot = never,
  Decorates extends Slot = never,
  const O extends OptionRules = never,
  const E extends EnvRules = Record<never, never>,
  const I extends true = never,
>(
  plugin: Shape<Requires, Provides, Decorates, O, E, I> & Opens<Provides>,
): [O] extends [never] ? Plugin : PluginFactory<O, [I] extends [never] ? false : I>;
export function definePlugin(given: object): Plugin | PluginFactory<OptionRules, true> {
  const plugin = given as PluginShape;
  const { options } = plugin;
  if (options === undefined) return named(plugin);
  const rules = rulesOf(plugin, options);
  return ({ as, ...values } = {}) => {
    checkOptions(as ?? plugin.name, as === undefined ? values : { as, ...values }, rules);
    return { ...named(plugin, as), given: values } as Plugin;
  };
}
