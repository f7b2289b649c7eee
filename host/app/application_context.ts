import { Kernel, MacroTable, type Settings, type TapCall } from "framewright/kernel";
import { AuthModes } from "../controllers/auth_modes.ts";
import { BaseController, type ControllerClass } from "../controllers/controller.ts";
import { ContentSecurityPolicy } from "../http/content_security_policy.ts";
import { CrossOrigins } from "../http/cross_origin.ts";
import { HostCookies } from "../http/host_cookies.ts";
import { ServedHosts } from "../http/served_hosts.ts";
import { RoutePaths } from "../routing/path_helpers.ts";
import type { Route } from "../routing/route.ts";
import { type Mount, RouteSet } from "../routing/route_set.ts";
import { underscore } from "../support/inflection.ts";
import { Constants } from "./constants.ts";
import { HealthChecks } from "./health_checks.ts";
import type { HostHooks } from "./hooks.ts";
import { Languages } from "./languages.ts";
import type { Package } from "./loader.ts";
import { type Logger, type LogListener, openLog } from "./log.ts";
import type { Engine } from "./mounted_engine.ts";
import { Observation } from "./observation.ts";
import { currentOrigin } from "./origin.ts";
import { PeriodicWork } from "./periodic.ts";
import { optionalService, type TextsPort } from "./ports.ts";
import { Registrant } from "./registrant.ts";

/** What an application consists of: settings, kernel, classes, engines and drawn routes. */
export class ApplicationContext {
  readonly settings: Settings;
  readonly allowPending: boolean;
  /** Whether models may name columns that are missing. */
  readonly anyColumns: boolean;
  readonly kernel: Kernel;
  readonly log: Logger;
  /** What gets each line of the log besides the terminal; nothing does in production. */
  readonly logListeners: LogListener[] = [];
  readonly constants = new Constants();
  readonly paths = new RoutePaths();
  readonly engines = new Map<string, Engine>();
  /** As an engine's, for the controllers of the main application. */
  readonly prepare: Engine["prepare"] = [];
  /** Methods that plugins add to route sets and engines. */
  readonly routeMacros = new MacroTable<RouteSet>();
  readonly engineMacros = new MacroTable<Engine>();
  /** How controllers find the account of a request. */
  readonly authModes = new AuthModes(
    () => this.kernel.registrant,
    () => this.kernel.hooks.authenticate,
  );
  /** Which origins may call which paths. */
  readonly crossOrigins = new CrossOrigins();
  /** The plugin that is being applied. */
  readonly registrant = new Registrant();
  /** Where pages may load from besides the application. */
  readonly csp = new ContentSecurityPolicy(this.registrant);
  /** Which host names are served besides those of the settings. */
  readonly hosts = new ServedHosts(this.registrant);
  /** What `/readyz` checks besides the database. */
  readonly health: HealthChecks;
  /** What plugins repeat while the application serves. */
  readonly periodic: PeriodicWork;
  /** Reports what the application does to the taps of `hooks.host.observe`. */
  readonly observation = new Observation(this);
  /** The routes of the main application, then those of each engine by name. */
  readonly routeSets = new Map<string | undefined, RouteSet>();
  /** Whether `currentOrigin()` knows requests: for plugins that note who did something, wherever it was done. */
  tracksOrigins = false;
  /** By what means code writes records that no request and no job entered, as "console" or "seed". */
  means: string | undefined;
  /** Binds cookies to the host name that they were set at; undefined where host names are nobody's. */
  hostCookies: HostCookies | undefined;
  mounts: readonly Mount[] = [];
  packages: readonly Package[] = [];
  #languages: Languages | undefined;
  readonly #controllers = new Map<Route, ControllerClass>();
  readonly #prefixes = new Map<unknown, readonly string[]>();

  constructor(
    settings: Settings,
    options: {
      trace?: ((call: TapCall) => void) | undefined;
      allowPending?: boolean | undefined;
      anyColumns?: boolean | undefined;
      logTo?: "stdout" | "stderr" | undefined;
    },
  ) {
    this.settings = settings;
    this.anyColumns = options.anyColumns ?? false;
    this.allowPending = options.allowPending ?? settings.env !== "production";
    this.kernel = new Kernel(settings, options.trace);
    this.kernel.context = () => currentOrigin()?.request;
    this.log = openLog(settings, this.logListeners, options.logTo);
    this.kernel.report = (err, args) => this.log.error({ err, request: requestIdOf(args) }, err.message);
    this.health = new HealthChecks(this.registrant, this.log);
    this.periodic = new PeriodicWork(this.registrant, this.log);
  }

  get hooks(): HostHooks {
    return this.kernel.slotHooks("host");
  }
  /** From now on a cookie or session of one host name proves nothing at another: for plugins whose tenants have hosts. */
  separateHosts(): void {
    this.hostCookies ??= new HostCookies(this.settings);
  }
  get texts(): TextsPort | undefined {
    return optionalService(this.kernel, "i18n");
  }
  /** The languages that people may have; known once the application is booted. */
  get languages(): Languages {
    this.#languages ??= new Languages(this.texts);
    return this.#languages;
  }
  /** The folders in which a controller's views are searched, the most specific first. */
  viewPrefixes(controller: unknown): readonly string[] {
    let prefixes = this.#prefixes.get(controller);
    if (!prefixes) {
      prefixes = [...this.#viewPrefixes(controller), "framewright"];
      this.#prefixes.set(controller, prefixes);
    }
    return prefixes;
  }

  /** Whether the application has a view of this name, in any of its folders. */
  hasView(name: string): boolean {
    return optionalService(this.kernel, "views")?.exists(undefined, name) ?? false;
  }

  /** The routes of an engine, or of the main application, while they are drawn. */
  routeSetOf(owner: string | undefined): RouteSet {
    const known = this.routeSets.get(owner);
    if (known) return known;
    const set = new RouteSet(
      owner,
      () => this.kernel.tapping(this.routeSets.get(undefined)),
      owner === undefined ? this.settings.basePath : "",
    );
    this.routeMacros.install(set);
    this.routeSets.set(owner, set);
    return set;
  }

  /** The controller class of a drawn route. */
  controllerOf(route: Route): ControllerClass | undefined {
    return this.#controllers.get(route);
  }

  /** Records the controller class of a route, and calls the hook `compile`. */
  recordController(route: Route, engine: Engine | undefined, controller: ControllerClass, where: string): void {
    this.#controllers.set(route, controller);
    this.hooks.compile.call({ route, engine, controller, where });
  }

  #viewPrefixes(controller: unknown): string[] {
    const prefixes: string[] = [];
    for (let at = controller as typeof BaseController; at && at !== BaseController; at = Object.getPrototypeOf(at)) {
      const constant = this.constants.of(at);
      if (constant) prefixes.push(underscore(constant.name).replace(/_controller$/, ""));
      else if (Object.hasOwn(at, "viewPath") && at.viewPath) prefixes.push(at.viewPath);
      if (at === Function.prototype) break;
    }
    return [...new Set(prefixes)];
  }
}

interface Identified {
  readonly id: string;
}

/** The id of the request that a tap was called for, by its arguments. */
function requestIdOf(args: readonly unknown[]): string | undefined {
  for (const arg of args) {
    const { request, controller } = (arg ?? {}) as { request?: Identified; controller?: { request: Identified } };
    const found = request ?? controller?.request;
    if (found) return found.id;
  }
  return undefined;
}
