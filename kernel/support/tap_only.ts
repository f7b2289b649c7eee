import { errors } from "../errors.ts";
import type { MoreOptions } from "./portal_tap.ts";

/** What only the owner of a hook does with it. */
export type OwnersPart = "call" | "callAsync" | "promise" | "promiseFor" | "intercept" | "interceptors" | "onKey";
/** The hooks of a slot as other plugins see them: to be tapped, not called. */
export type TapOnly<H> = { readonly [K in keyof H]: Omit<H[K], OwnersPart> };

/** The function that a hook's tap takes; for one that is awaited, it may return a promise. */
type TapFunction<H> = H extends { tapPromise(options: never, fn: (...args: infer A) => Promise<infer R>): void }
  ? (...args: A) => R | Promise<R>
  : H extends { tap(options: never, fn: infer F): void }
    ? F
    : never;
/** Taps a hook under the plugin's own name: `tap(hooks.resources.scope, (query) => …)`. */
export type TapHook = <H extends object>(hook: H, fn: TapFunction<H>, options?: TapOptions & MoreOptions<H>) => void;
/** Options of `tap`. */
export interface TapOptions {
  /** A stage that the hook's owner exports; taps of one stage run in the order of the plugins. */
  stage?: number;
}

const ownersPart: ReadonlySet<unknown> = new Set<OwnersPart>([
  "call",
  "callAsync",
  "promise",
  "promiseFor",
  "intercept",
  "interceptors",
  "onKey",
]);

/** A slot's hooks as other plugins see them: to be tapped, not called. */
export function tapOnlyHooks<H extends Record<string, object>>(plugin: string, slot: string, hooks: H): H {
  const views = Object.entries(hooks).map(([name, hook]) => [name, tapOnly(plugin, `${slot}.${name}`, hook)]);
  return Object.freeze(Object.fromEntries(views)) as H;
}

function tapOnly(plugin: string, label: string, hook: object): object {
  return new Proxy(hook, {
    get(target, property) {
      if (ownersPart.has(property)) throw errors.FW_HOOK_FOREIGN(plugin, label, String(property));
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== "function" || property === "constructor") return value;
      if (property !== "for") return value.bind(target);
      return (key: object) => tapOnly(plugin, `${label}.for(…)`, value.call(target, key) as object);
    },
    set(_, property) {
      throw errors.FW_HOOK_FOREIGN(plugin, label, String(property));
    },
  });
}
