import { Bus } from "./bus.ts";
import { errors } from "./errors.ts";
import { type KernelHooks, openKernelHooks, type Settings } from "./hooks.ts";
import type { Hooks, Plugin, Service, Slot } from "./plugin.ts";
import { kernelAnswers } from "./support/answer_rule.ts";
import { tapsOf } from "./support/call_hook.ts";
import { contributionOf } from "./support/contribution.ts";
import { checkDeclaredNames } from "./support/declared_names.ts";
import { readEnv } from "./support/env.ts";
import { FramewrightError, messageOf } from "./support/error_table.ts";
import { withTimeout } from "./support/guard.ts";
import type { HookInfo, TapInfo } from "./support/hook_info.ts";
import { distinctPlugins } from "./support/instances.ts";
import type { KernelOptions } from "./support/kernel_options.ts";
import { type PluginInfo, pluginInfo } from "./support/plugin_info.ts";
import { type Factories, orderPlugins, type PluginOrder } from "./support/plugin_order.ts";
import type { PluginShape } from "./support/plugin_shape.ts";
import { viewOf } from "./support/plugin_view.ts";
import { checkReplaced } from "./support/replaced_hooks.ts";
import type { TraceTaps } from "./support/trace.ts";
import { type Undo, Undos } from "./support/undos.ts";

/** Milliseconds that a plugin may take in each step of boot, unless it sets `bootWithin`. */
const BOOT_TIMEOUT_MS = 60_000;
/** Milliseconds that a plugin may take in the hook "close", and in each of its undos. */
const CLOSE_TIMEOUT_MS = 10_000;

/** A booted set of plugins: their services, their hooks, and how they are closed. */
export class Kernel {
  readonly settings: Settings;
  readonly #bus = new Bus();
  readonly #services = new Map<string, unknown>();
  readonly #undos = new Undos();
  readonly #applyMs = new Map<string, number>();
  #order: PluginOrder = { plugins: [], fillers: new Map(), replaced: new Map() };
  #factories: Factories = {};
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, trace?: TraceTaps) {
    this.settings = settings;
    this.#bus.listen(trace);
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
    return pluginInfo(this.#order, this.#applyMs);
  }

  /** @throws FW_SLOT_EMPTY when no plugin fills the slot */
  service<S extends Slot>(slot: S, asker = "the application"): Service<S> {
    if (!this.#services.has(slot)) throw errors.FW_SLOT_EMPTY(asker, slot, undefined, [], this.#factories[slot]);
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

  /** The plugin that works on what a hook gave it, for errors: its tap runs right now, or is awaited with the argument. */
  tapping(argument: unknown): string | undefined {
    return this.#bus.calls.tapping(argument);
  }

  /** Sets what the code that runs now was entered for, as a request: taps that were called for it are found by it. */
  set context(find: () => unknown) {
    this.#bus.calls.context = find;
  }

  /** Sets what logs a tap of an isolated hook that failed; without it, it is thrown as elsewhere. */
  set report(report: (error: Error, args: readonly unknown[]) => void) {
    this.#bus.calls.report = report;
  }

  /** Stops waiting for the taps that were called with such an argument, or for it, and returns their names. */
  abandon(isAbout: (argument: unknown) => boolean): { hook: string; plugin: string }[] {
    return this.#bus.calls.abandon(isAbout);
  }

  /** Boots all plugins or none: what a failed boot had opened is closed again. */
  async open(listed: readonly Plugin[], { load, draw, values = {}, factories = {} }: KernelOptions): Promise<void> {
    this.#factories = factories;
    try {
      this.#order = orderPlugins(listed, factories);
      const { plugins } = this.#order;
      checkDeclaredNames(plugins);
      for (const plugin of plugins) this.#bus.listen(plugin.trace?.(this.settings));
      this.#openHooks(plugins);
      for (const { name, bootWithin = BOOT_TIMEOUT_MS } of plugins) this.#bus.calls.deadlines.set(name, bootWithin);
      const env = new Map(plugins.map(({ name, env: rules = {} }) => [name, readEnv(name, rules, values)]));
      for (const plugin of plugins) await this.#apply(plugin, env.get(plugin.name)!);
      const distinct = distinctPlugins(plugins);
      for (const plugin of plugins)
        if (plugin.directory !== undefined) this.#contribute(plugin, plugin.directory, distinct.includes(plugin));
      await this.hooks.configure.promise(this.settings);
      await load?.(this);
      await this.hooks.boot.promise();
      await draw?.(this);
      this.#bus.freeze();
      await this.hooks.ready.promise();
      this.#bus.calls.deadlines.clear();
    } catch (error) {
      await this.#undos.runAll().catch(() => undefined); // the first failure is the one to report
      throw error;
    }
  }

  /** Runs `close`, then every undo last-in first-out, each within its plugin's deadline. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #openHooks(plugins: readonly PluginShape[]): void {
    this.#bus.open("kernel", "kernel", { ...openKernelHooks() }, { answers: kernelAnswers });
    for (const plugin of plugins) {
      if (plugin.provides === undefined) continue;
      const hooks = plugin.hooks?.() ?? {};
      checkReplaced(plugin, this.#order.replaced.get(plugin.provides)?.hooks?.() ?? {}, hooks);
      if (plugin.hooks) this.#bus.open(plugin.name, plugin.provides, hooks, plugin);
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
  #contribute(plugin: PluginShape, directory: string, isFirst: boolean): void {
    this.#bus.applying = plugin.name;
    try {
      this.hooks.contribute.call(contributionOf(plugin, directory, isFirst));
    } finally {
      this.#bus.applying = undefined;
    }
  }

  #view(plugin: PluginShape, env: object): object {
    const { name, closeWithin: within = CLOSE_TIMEOUT_MS } = plugin;
    return {
      ...viewOf(plugin, this.#services, this.#bus.slots),
      settings: this.settings,
      env,
      registrant: () => this.#bus.applying,
      onClose: (run: Undo["run"]) => this.#undos.add({ plugin: name, within, run }),
    };
  }

  async #close(): Promise<void> {
    const failures: string[] = [];
    const attempt = async (work: () => unknown) => {
      try {
        await work();
      } catch (error) {
        failures.push(messageOf(error));
      }
    };
    for (const { name, closeWithin = CLOSE_TIMEOUT_MS } of this.#order.plugins)
      this.#bus.calls.deadlines.set(name, closeWithin);
    for (const { call } of tapsOf(this.hooks.close)) await attempt(call); // one by one: the others close all the same
    await attempt(() => this.#undos.runAll());
    if (failures.length > 0) throw errors.FW_CLOSE_FAILED(failures);
  }
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
