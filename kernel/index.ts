// The hooks' own classes, so that a plugin makes its hooks with the very tapable that the kernel runs on.
export {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "tapable";
export type { HookInfo, TapCall, TapInfo } from "./bus.ts";
export { type EnvOptions, type EnvRule, type EnvRules, type EnvValues, env, envRule } from "./env.ts";
export { describe, errorTable, FramewrightError, messageOf } from "./errors.ts";
export type {
  Account,
  Contribution,
  ControllerClass,
  ControllerRef,
  KernelHooks,
  RequestContext,
  Response,
  RouteSet,
  Settings,
} from "./hooks.ts";
export { Kernel, type KernelOptions, openKernel, type PluginInfo } from "./kernel.ts";
export { checkOptions, type OptionRule, type OptionRules, type OptionValues, option, rule } from "./options.ts";
export {
  type AnswerRule,
  type Contributions,
  definePlugin,
  definePlugins,
  type Hooks,
  type Plugin,
  type PluginFactory,
  type PluginKernel,
  type PluginList,
  type Service,
  type Slot,
  type Slots,
  type TapHook,
  type TapOnly,
  type TapOptions,
} from "./plugin.ts";
export { InFlight } from "./support/in_flight.ts";
export { type KeyedHook, keyedHook } from "./support/keyed_hook.ts";
export { MacroTable, type MakeMacro, withMacroErrors } from "./support/macros.ts";
export { Registry, type RegistryOptions } from "./support/registry.ts";
export { didYouMean, suggest } from "./support/suggest.ts";
