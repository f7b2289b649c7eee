import { Bus, type TapCall, type TapInfo, withTimeout } from "./bus.ts";
import { errors, FramewrightError, messageOf } from "./errors.ts";
import { type KernelHooks, openKernelHooks, type Settings } from "./hooks.ts";
import type { Hooks, Plugin, PluginShape, Service, Slot } from "./plugin.ts";
import { orderPlugins } from "./plugin_order.ts";

/** Options of `openKernel`. */
export interface KernelOptions {
  settings?: Settings;
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

/** A booted set of plugins: their services, their hooks, and how they are closed. */
export class Kernel {
  readonly settings: Settings;
  readonly #bus: Bus;
  readonly #services = new Map<string, unknown>();
  readonly #undos: CloseCallback[] = [];
  #plugins: readonly PluginShape[] = [];
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
    return this.#plugins.map(({ name }) => name);
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

  /** Stops waiting for the taps that were called with such an argument, and returns their names. */
  abandon(isAbout: (argument: unknown) => boolean): { hook: string; plugin: string }[] {
    return this.#bus.abandon(isAbout);
  }

  /** Boots all plugins or none: what a failed boot had opened is closed again. */
  async open(listed: readonly Plugin[], { load, draw }: KernelOptions): Promise<void> {
    try {
      const { plugins } = orderPlugins(listed);
      this.#plugins = plugins;
      this.#openHooks(plugins);
      for (const { name, bootWithin = BOOT_TIMEOUT_MS } of plugins) this.#bus.bootWithin.set(name, bootWithin);
      for (const plugin of plugins) await this.#apply(plugin);
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
    this.#bus.open("kernel", "kernel", { ...openKernelHooks() });
    for (const plugin of plugins) {
      const hooks = plugin.hooks?.();
      if (hooks && plugin.provides) this.#bus.open(plugin.name, plugin.provides, hooks);
    }
  }

  async #apply(plugin: PluginShape): Promise<void> {
    this.#bus.applying = plugin.name;
    try {
      const { name, bootWithin = BOOT_TIMEOUT_MS } = plugin;
      const applied = Promise.resolve(plugin.apply(this.#view(plugin)));
      const service = await withTimeout(bootWithin, applied, () => errors.FW_APPLY_TIMEOUT(name, bootWithin));
      if (plugin.provides) this.#services.set(plugin.provides, service);
    } catch (cause) {
      if (cause instanceof FramewrightError) throw cause;
      const error = errors.FW_APPLY_FAILED(plugin.name, messageOf(cause));
      error.cause = cause;
      throw error;
    } finally {
      this.#bus.applying = undefined;
    }
  }

  /** What one plugin is given: services and hooks by slot, looked up on access. */
  #view({ name, closeWithin = 10_000 }: PluginShape): object {
    const lookUp = (find: (slot: string) => unknown) =>
      new Proxy(Object.freeze({}), { get: (_, slot) => (typeof slot === "string" ? find(slot) : undefined) });
    return {
      services: lookUp((slot) => this.#services.get(slot)),
      hooks: lookUp((slot) => this.#bus.slots.get(slot)),
      settings: this.settings,
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

function runWithin({ plugin, within, run }: CloseCallback): Promise<void> {
  const undone = (async () => run())();
  return withTimeout(within, undone, () => errors.FW_TAP_TIMEOUT("onClose", plugin, within));
}

/**
 * Boots plugins: order, open hooks, apply, configure, load, boot, draw, freeze, ready.
 * @throws a FramewrightError that names the plugin at fault; whatever was open by then is closed again
 */
export async function openKernel(plugins: readonly Plugin[], options: KernelOptions = {}): Promise<Kernel> {
  const kernel = new Kernel(options.settings ?? ({} as Settings), options.trace);
  await kernel.open(plugins, options);
  return kernel;
}
