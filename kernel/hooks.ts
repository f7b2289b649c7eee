import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncHook } from "tapable";

/** The routes that are drawn; completed by the host. */
// The arguments of the kernel's hooks: opaque to the kernel, completed by the host through declaration merging.
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
/** The generators of the `fw` command; completed by the generators. */
export interface GeneratorRegistry {}

/** The hooks that the kernel itself opens, in the slot "kernel": the places where every plugin meets. */
export interface KernelHooks {
  /** First of all, before any class is loaded: settings may still be adjusted. */
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
  /** The `fw` command collects its generators and commands. */
  generators: SyncHook<[registry: GeneratorRegistry]>;
  /** Everything is drawn and frozen; the application is about to take requests. */
  ready: AsyncSeriesHook<[]>;
  /** The application stops: no request is in flight any more. */
  close: AsyncSeriesHook<[]>;
}

export function openKernelHooks(): KernelHooks {
  return {
    configure: new AsyncSeriesHook(["settings"]),
    boot: new AsyncSeriesHook([]),
    drawRoutes: new AsyncSeriesHook(["routes"]),
    resolveController: new SyncBailHook(["ref"]),
    authenticate: new AsyncSeriesBailHook(["request"]),
    layout: new SyncBailHook(["request"]),
    error: new AsyncSeriesBailHook(["error", "request"]),
    generators: new SyncHook(["registry"]),
    ready: new AsyncSeriesHook([]),
    close: new AsyncSeriesHook([]),
  };
}

/** What taps of the kernel's bail hooks may return: a wrong value is an error that names the plugin, never ignored. */
export const answerRules: Record<string, { expected: string; orNull?: true; check(answer: unknown): boolean }> = {
  "kernel.resolveController": { expected: "a controller class", check: (answer) => typeof answer === "function" },
  "kernel.layout": { expected: "a layout's name", check: (answer) => typeof answer === "string" },
  "kernel.authenticate": {
    expected: "an account that names somebody, null for a guest",
    orNull: true,
    check: isAccount,
  },
  "kernel.error": { expected: "a response", check: (answer) => typeof answer === "object" },
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || Number.isNaN(value);

/** Whether an object is somebody: a list, an error, one without values or without a value in its `id` is nobody. */
function isAccount(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) || answer instanceof Error) return false;
  if ("id" in answer && isEmpty(answer.id)) return false;
  const prototype = Object.getPrototypeOf(answer);
  const isPlain = prototype === Object.prototype || prototype === null;
  return !isPlain || !Object.values(answer).every(isEmpty);
}
