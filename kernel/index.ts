// The hooks' own classes, so that a plugin makes its hooks with the very tapable that the kernel runs on.
export {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "tapable";
export type { TapCall, TapInfo } from "./bus.ts";
export { describe, errorTable, FramewrightError, messageOf } from "./errors.ts";
export type {
  Account,
  ControllerClass,
  ControllerRef,
  GeneratorRegistry,
  KernelHooks,
  RequestContext,
  Response,
  RouteSet,
  Settings,
} from "./hooks.ts";
export { Kernel, type KernelOptions, openKernel } from "./kernel.ts";
export { checkOptions, type OptionRule, option } from "./options.ts";
export {
  definePlugin,
  definePlugins,
  type Hooks,
  type Plugin,
  type PluginKernel,
  type PluginList,
  type Service,
  type Slot,
  type Slots,
} from "./plugin.ts";
export { InFlight } from "./support/in_flight.ts";
export { type KeyedHook, keyedHook } from "./support/keyed_hook.ts";
export { MacroTable, type MakeMacro, withMacroErrors } from "./support/macros.ts";
export { Registry, type RegistryOptions } from "./support/registry.ts";
export { didYouMean, suggest } from "./support/suggest.ts";
