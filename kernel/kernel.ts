import { Bus, type HookInfo, isSyncHook, type TapCall, type TapInfo, withTimeout } from "./bus.ts";
import { contributionOf } from "./contribution.ts";
import { readEnv } from "./env.ts";
import { errors, FramewrightError, messageOf } from "./errors.ts";
import { answerRules, type KernelHooks, openKernelHooks, type Settings } from "./hooks.ts";
import type { Hooks, Plugin, PluginShape, Service, Slot } from "./plugin.ts";
import { orderPlugins, type PluginOrder } from "./plugin_order.ts";
import { tapOnlyHooks } from "./support/tap_only.ts";

/** Options of `openKernel`. */
export interface KernelOptions {
  settings?: Settings;
  /** The environment, of which plugins read the variables that they declare. */
  values?: Readonly<Record<string, string | undefined>>;
  /** Loads the application: classes, engines, then what they asked to run after initialization. */
  load?(kernel: Kernel): void | Promise<void>;
  /** Draws definitions, controllers and routes. */
  draw?(kernel: Kernel): void | Promise<void>;
  /** Receives every call of every tap. Left out, tracing costs nothing. */
  trace?(call: TapCall): void;
}

/** Milliseconds that a plugin may take in each step of boot, unless it says otherwise. */
const BOOT_TIMEOUT_MS = 60_000;

interface CloseCallback {
  plugin: string;
  within: number;
  run(): void | Promise<void>;
}

/** A plugin of an application, as `fw plugins` prints it. */
export interface PluginInfo {
  name: string;
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

/** A booted set of plugins: their services, their hooks, and how they are closed. */
export class Kernel {
  readonly settings: Settings;
  readonly #bus: Bus;
  readonly #services = new Map<string, unknown>();
  readonly #undos: CloseCallback[] = [];
  readonly #applyMs = new Map<string, number>();
  #order: PluginOrder = { plugins: [], fillers: new Map(), replaced: new Map() };
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, trace?: (call: TapCall) => void) {
    this.settings = settings;
    this.#bus = new Bus(trace);
  }

  /** The kernel's own hooks. */
  get hooks(): KernelHooks {
    return this.slotHooks("kernel");
  }

  /** The plugin that is being applied: what is registered now is its. */
  get registrant(): string | undefined {
    return this.#bus.applying;
  }

  /** The names of the plugins in the order in which they were applied. */
  get plugins(): readonly string[] {
    return this.#order.plugins.map(({ name }) => name);
  }

  /** The plugins in the order in which they were applied. */
  pluginInfo(): PluginInfo[] {
    return this.#order.plugins.map(({ name, provides, decorates, replaces, requires = [], uses = [], ...plugin }) => ({
      name,
      provides,
      decorates,
      replaces: replaces ? this.#order.replaced.get(provides!)?.name : undefined,
      requires,
      uses,
      framewright: plugin.framewright,
      env: Object.keys(plugin.env ?? {}),
      applyMs: this.#applyMs.get(name) ?? 0,
    }));
  }

  /** @throws FW_SLOT_EMPTY when no plugin fills the slot */
  service<S extends Slot>(slot: S, asker = "the application"): Service<S> {
    if (!this.#services.has(slot)) throw errors.FW_SLOT_EMPTY(asker, slot);
    return this.#services.get(slot) as Service<S>;
  }

  has(slot: Slot): boolean {
    return this.#services.has(slot);
  }

  /** @throws FW_SLOT_EMPTY when no plugin opens hooks in the slot */
  slotHooks<S extends Slot>(slot: S, asker = "the application"): Hooks<S> {
    const hooks = this.#bus.slots.get(slot);
    if (!hooks) throw errors.FW_SLOT_EMPTY(asker, slot);
    return hooks as Hooks<S>;
  }

  taps(): readonly TapInfo[] {
    return this.#bus.taps();
  }

  /** Every hook, tapped or not. */
  hookInfo(): HookInfo[] {
    return this.#bus.hooks();
  }

  /** Stops waiting for the taps that were called with such an argument, and returns their names. */
  abandon(isAbout: (argument: unknown) => boolean): { hook: string; plugin: string }[] {
    return this.#bus.abandon(isAbout);
  }

  /** Boots all plugins or none: what a failed boot had opened is closed again. */
  async open(listed: readonly Plugin[], { load, draw, values = {} }: KernelOptions): Promise<void> {
    try {
      this.#order = orderPlugins(listed);
      const { plugins } = this.#order;
      this.#openHooks(plugins);
      for (const { name, bootWithin = BOOT_TIMEOUT_MS } of plugins) this.#bus.bootWithin.set(name, bootWithin);
      const env = new Map(plugins.map(({ name, env: rules = {} }) => [name, readEnv(name, rules, values)]));
      for (const plugin of plugins) await this.#apply(plugin, env.get(plugin.name)!);
      for (const plugin of plugins) if (plugin.directory !== undefined) this.#contribute(plugin, plugin.directory);
      await this.hooks.configure.promise(this.settings);
      await load?.(this);
      await this.hooks.boot.promise();
      await draw?.(this);
      this.#bus.freeze();
      await this.hooks.ready.promise();
      this.#bus.bootWithin.clear();
    } catch (error) {
      await this.#undoAll().catch(() => undefined); // the first failure is the one to report
      throw error;
    }
  }

  /** Runs `close`, then every undo last-in first-out, each within its plugin's deadline. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #openHooks(plugins: readonly PluginShape[]): void {
    this.#bus.open("kernel", "kernel", { ...openKernelHooks() }, answerRules);
    for (const plugin of plugins) {
      if (plugin.provides === undefined) continue;
      const hooks = plugin.hooks?.() ?? {};
      checkReplaced(plugin, this.#order.replaced.get(plugin.provides)?.hooks?.() ?? {}, hooks);
      if (plugin.hooks) this.#bus.open(plugin.name, plugin.provides, hooks, plugin.answers);
    }
  }

  async #apply(plugin: PluginShape, env: object): Promise<void> {
    this.#bus.applying = plugin.name;
    const start = performance.now();
    try {
      const { name, provides, decorates, bootWithin = BOOT_TIMEOUT_MS } = plugin;
      const applied = Promise.resolve(plugin.apply(this.#view(plugin, env)));
      const service = await withTimeout(bootWithin, applied, () => errors.FW_APPLY_TIMEOUT(name, bootWithin));
      const slot = provides ?? decorates;
      if (slot !== undefined) this.#services.set(slot, service);
      this.#applyMs.set(name, performance.now() - start);
    } catch (cause) {
      if (cause instanceof FramewrightError) throw cause;
      const error = errors.FW_APPLY_FAILED(plugin.name, messageOf(cause));
      error.cause = cause;
      throw error;
    } finally {
      this.#bus.applying = undefined;
    }
  }

  /** Shows a plugin's directory to the services; what they add meanwhile is that plugin's. */
  #contribute({ name }: PluginShape, directory: string): void {
    this.#bus.applying = name;
    try {
      this.hooks.contribute.call(contributionOf(name, directory));
    } finally {
      this.#bus.applying = undefined;
    }
  }

  /** What one plugin is given: services and hooks by slot, looked up on access. */
  #view({ name, provides, decorates, given = {}, closeWithin = 10_000 }: PluginShape, env: object): object {
    const lookUp = (find: (slot: string) => unknown) =>
      new Proxy(Object.freeze({}), { get: (_, slot) => (typeof slot === "string" ? find(slot) : undefined) });
    const own = provides ?? decorates;
    const below = decorates === undefined ? undefined : this.#services.get(decorates);
    const hooksOf = (slot: string) => {
      const hooks = this.#bus.slots.get(slot);
      return hooks && slot !== own ? tapOnlyHooks(name, slot, hooks) : hooks;
    };
    return {
      services: lookUp((slot) => (slot === decorates ? below : this.#services.get(slot))),
      hooks: lookUp(hooksOf),
      settings: this.settings,
      options: given,
      env,
      tap: tapUnder(name),
      registrant: () => this.#bus.applying,
      onClose: (run: CloseCallback["run"]) => this.#undos.push({ plugin: name, within: closeWithin, run }),
    };
  }

  async #close(): Promise<void> {
    const failures: string[] = [];
    await this.hooks.close.promise().catch((error: unknown) => failures.push(messageOf(error)));
    await this.#undoAll().catch((error: unknown) => failures.push(messageOf(error)));
    if (failures.length > 0) throw errors.FW_CLOSE_FAILED(failures);
  }

  async #undoAll(): Promise<void> {
    const failures: string[] = [];
    for (let undo = this.#undos.pop(); undo; undo = this.#undos.pop()) {
      await runWithin(undo).catch((error: unknown) => failures.push(messageOf(error)));
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
  }
}

interface AnyTaps {
  tap(options: object, fn: unknown): void;
  tapPromise(options: object, fn: unknown): void;
}
/** `tap` of a plugin: its name is known. */
const tapUnder =
  (name: string) =>
  (hook: AnyTaps, fn: unknown, { stage = 0 }: { stage?: number } = {}) =>
    isSyncHook(hook) ? hook.tap({ name, stage }, fn) : hook.tapPromise({ name, stage }, fn);

/** @throws FW_HOOKS_MISSING when a plugin lacks a hook of the one that it replaces, or has it as another kind */
function checkReplaced({ name, provides }: PluginShape, former: HookTable, hooks: HookTable): void {
  for (const [hook, { constructor: kind }] of Object.entries(former as Record<string, object>)) {
    if ((hooks[hook] as object | undefined)?.constructor !== kind)
      throw errors.FW_HOOKS_MISSING(name, provides!, hook, kind.name);
  }
}
type HookTable = Record<string, unknown>;

function runWithin({ plugin, within, run }: CloseCallback): Promise<void> {
  const undone = (async () => run())();
  return withTimeout(within, undone, () => errors.FW_TAP_TIMEOUT("onClose", plugin, within));
}

/**
 * Boots plugins: order, open hooks, read the environment, apply, contribute, configure, load, boot, draw, freeze, ready.
 * @throws a FramewrightError that names the plugin at fault; whatever was open by then is closed again
 */
export async function openKernel(plugins: readonly Plugin[], options: KernelOptions = {}): Promise<Kernel> {
  const kernel = new Kernel(options.settings ?? ({} as Settings), options.trace);
  await kernel.open(plugins, options);
  return kernel;
}
