import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncHook } from "tapable";
import type { Contribution } from "./support/contribution.ts";

/** The routes that are drawn; completed by the host. */
export interface RouteSet {}
/** A request; completed by the host. */
export interface RequestContext {}
/** A class of controllers; completed by the host. */
export interface ControllerClass {}
/** A controller as a route names it; completed by the host. */
export interface ControllerRef {}
/** Who is signed in; completed by plugins. */
export interface Account {}
/** What is configured from outside; completed by the host. */
export interface Settings {}
/** A reply; completed by the host. */
export interface Response {}

/** The hooks that the kernel itself opens, in the slot "kernel": the places where every plugin meets. */
export interface KernelHooks {
  /** All plugins are applied. Called for each in turn: services take the folders that they know from its directory. */
  contribute: SyncHook<[contribution: Contribution]>;
  /** Before any class is loaded: settings may still be adjusted. */
  configure: AsyncSeriesHook<[settings: Settings]>;
  /** After all classes are loaded: connect, start, read. The one place for I/O at boot. */
  boot: AsyncSeriesHook<[]>;
  /** The main application's routes are drawn; add more. */
  drawRoutes: AsyncSeriesHook<[routes: RouteSet]>;
  /** A route names a controller. Return the class that serves it; the first answer wins. */
  resolveController: SyncBailHook<[ref: ControllerRef], ControllerClass | undefined>;
  /** A request needs its account. Return it, or null for a guest; the first answer wins. The mode's own `find` comes last. */
  authenticate: AsyncSeriesBailHook<[request: RequestContext], Account | null | undefined>;
  /** A page is about to be wrapped. Return the name of a layout, or "none"; the first answer wins. */
  layout: SyncBailHook<[request: RequestContext], string | undefined>;
  /** A request ended in an error. Return a response to answer with that instead of the standard page. */
  error: AsyncSeriesBailHook<[error: Error, request: RequestContext], Response | undefined>;
  /** Everything is drawn and frozen; the application is about to take requests. */
  ready: AsyncSeriesHook<[]>;
  /** The application stops: no request is in flight any more. */
  close: AsyncSeriesHook<[]>;
}

export function openKernelHooks(): KernelHooks {
  return {
    contribute: new SyncHook(["contribution"]),
    configure: new AsyncSeriesHook(["settings"]),
    boot: new AsyncSeriesHook([]),
    drawRoutes: new AsyncSeriesHook(["routes"]),
    resolveController: new SyncBailHook(["ref"]),
    authenticate: new AsyncSeriesBailHook(["request"]),
    layout: new SyncBailHook(["request"]),
    error: new AsyncSeriesBailHook(["error", "request"]),
    ready: new AsyncSeriesHook([]),
    close: new AsyncSeriesHook([]),
  };
}
