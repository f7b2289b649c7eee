// The hooks' own classes, so that a plugin makes its hooks with the very tapable that the kernel runs on.
export {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "tapable";
export type {
  Account,
  ControllerClass,
  ControllerRef,
  KernelHooks,
  RequestContext,
  Response,
  RouteSet,
  Settings,
} from "./hooks.ts";
export { Kernel, openKernel } from "./kernel.ts";
export {
  type Contributions,
  definePlugin,
  type Hooks,
  type Plugin,
  type PluginFactory,
  type PluginKernel,
  type Service,
  type Slot,
  type Slots,
} from "./plugin.ts";
export type { AnswerRule } from "./support/answer_rule.ts";
export { callHook, tapsOf } from "./support/call_hook.ts";
export type { Contribution } from "./support/contribution.ts";
export { type EnvOptions, type EnvRule, type EnvRules, type EnvValues, env, envRule } from "./support/env.ts";
export { describe, errorTable, FramewrightError, messageOf } from "./support/error_table.ts";
export type { HookInfo, TapInfo } from "./support/hook_info.ts";
export { InFlight } from "./support/in_flight.ts";
export { distinctPlugins } from "./support/instances.ts";
export type { KernelOptions } from "./support/kernel_options.ts";
export { type KeyedHook, keyedHook } from "./support/keyed_hook.ts";
export { MacroTable, type MakeMacro, withMacroErrors } from "./support/macros.ts";
export { checkOptions, type OptionRule, type OptionRules, type OptionValues, option, rule } from "./support/options.ts";
export type { PluginInfo } from "./support/plugin_info.ts";
export { definePlugins, type PluginList } from "./support/plugin_list.ts";
export type { InPortal, PortalRules } from "./support/portal_tap.ts";
export { Registry, type RegistryOptions, type RegistryRules } from "./support/registry.ts";
export { stage } from "./support/stage.ts";
export { didYouMean, suggest } from "./support/suggest.ts";
export type { TapHook, TapOnly, TapOptions } from "./support/tap_only.ts";
export type { TapCall } from "./support/trace.ts";
