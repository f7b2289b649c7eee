import type { TapFunction } from "./guard.ts";

/** An option of taps of hooks that are called for portals: `listHead.tapPromise({ name: "acme", portal: "AdminPortal" }, …)`. */
export interface InPortal {
  /** The portal that the tap is for; in others, and in the main application, it is not called. Undefined for all of them. */
  portal?: string | undefined;
}

/** Returns the name of the portal that a call is about, undefined for the main application. */
export type PortalOf<Args extends unknown[] = never[]> = (...args: Args) => string | undefined;

/** Whether the taps of a hook may be for one portal. */
type IsInPortal<H> = H extends { tap(options: infer O, fn: never): void }
  ? "portal" extends keyof Exclude<O, string>
    ? true
    : false
  : false;
type ArgsOf<H> = H extends { tap(options: never, fn: (...args: infer A) => unknown): void } ? A : never[];

/** The options that the taps of a hook have besides their stage. */
export type MoreOptions<H> = IsInPortal<H> extends true ? InPortal : object;
/** For each of the hooks whose taps may be for one portal, how a call's portal is found. */
export type PortalRules<Hooks> = {
  readonly [H in keyof Hooks as IsInPortal<Hooks[H]> extends true ? H : never]: PortalOf<ArgsOf<Hooks[H]>>;
};

/** A tap for one portal; calls for others end before it is guarded or traced. */
export function onlyInPortal(tap: TapFunction, portal: string, portalOf: PortalOf): TapFunction {
  return (...args) => ((portalOf as PortalOf<unknown[]>)(...args) === portal ? tap(...args) : undefined);
}
