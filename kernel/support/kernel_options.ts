import type { Settings } from "../hooks.ts";
import type { Kernel } from "../kernel.ts";
import type { Factories } from "./plugin_order.ts";
import type { TapCall } from "./trace.ts";

/** Options of `openKernel`. */
export interface KernelOptions {
  settings?: Settings;
  /** The environment, of which plugins read the variables that they declare. */
  values?: Readonly<Record<string, string | undefined>>;
  /** How slots are filled as a rule, by slot, for the error when one is empty. */
  factories?: Factories;
  /** Loads the application: classes, engines, then what they registered to run after initialization. */
  load?(kernel: Kernel): void | Promise<void>;
  /** Draws definitions, controllers and routes. */
  draw?(kernel: Kernel): void | Promise<void>;
  /** Receives every call of every tap. Left out, tracing costs nothing. */
  trace?(call: TapCall): void;
}
