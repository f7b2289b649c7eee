import {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  definePlugin,
  Kernel,
  MacroTable,
  type Plugin,
  type Settings,
  SyncHook,
  type TapCall,
} from "framewright/kernel";
import { AuthModes } from "../controllers/authentication.ts";
import { BaseController, type ControllerClass } from "../controllers/controller.ts";
import type { PageHooks, PageLocals } from "../controllers/render_page.ts";
import { errors } from "../errors.ts";
import { CrossOrigins } from "../http/cross_origin.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import { HttpServer } from "../http/server.ts";
import { RoutePaths } from "../routing/path_helpers.ts";
import type { Route } from "../routing/route.ts";
import { type RouteInfo, routeList } from "../routing/route_list.ts";
import type { RouteSet } from "../routing/route_set.ts";
import type { MountedEngine, Router } from "../routing/router.ts";
import { underscore } from "../support/inflection.ts";
import { Constants } from "./constants.ts";
import { drawApplication } from "./draw_routes.ts";
import { loadApplication } from "./load.ts";
import { Loader, type Package } from "./loader.ts";
import { type Logger, openLog } from "./log.ts";
import type { Engine } from "./mounted_engine.ts";
import { type DatabasePort, optionalService, type TextsPort } from "./ports.ts";
import { readSettings } from "./settings.ts";

/** The hooks of the slot "host". */
export interface HostHooks extends PageHooks {
  /** All classes are loaded, engines are not: inspect the constants. */
  loaded: SyncHook<[application: Application]>;
  /** An engine was created; its own block runs next. */
  engine: SyncHook<[engine: Engine]>;
  /** The database is connected and all engines are initialized: prepare what routes need, before any is drawn. */
  prepare: AsyncSeriesHook<[application: Application]>;
  /** A route got its controller class: check or record it. */
  compile: SyncHook<[compiled: CompiledTarget]>;
  /** `fw routes` lists a route: add to what it shows. */
  list: SyncHook<[info: RouteInfo, listed: CompiledTarget]>;
  /** The server listens: start background work. Commands that only boot the application do not come here. */
  listening: SyncHook<[]>;
  /** `/readyz` is requested: return why the application should get no requests now, or undefined. */
  ready: AsyncSeriesBailHook<[], string | undefined>;
  /** The application is about to close: start nothing new; requests are still answered. */
  stopping: SyncHook<[]>;
  /** `fw doctor` runs: add findings, with what to do where something is wrong. */
  examine: AsyncSeriesHook<[findings: Finding[]]>;
}
/** One line of `fw doctor`. */
export interface Finding {
  what: string;
  ok: boolean;
  /** What was found, and what to do where something is wrong. */
  detail: string;
}
/** A route with the class that serves it; `where` names the route in errors. */
export interface CompiledTarget {
  route: Route;
  engine: Engine | undefined;
  controller: ControllerClass;
  where: string;
}
declare module "framewright/kernel" {
  interface Slots {
    host: { service: Application; hooks: HostHooks };
  }
}

/** What `openApplication` takes. */
export interface OpenOptions {
  /** The application's folder. */
  root: string;
  settings?: Settings;
  /** Instead of those that plugins.config.ts lists. */
  plugins?: readonly Plugin[];
  trace?: (call: TapCall) => void;
  /** Runs the code that `fw build` wrote to `dist/`. */
  built?: boolean;
  /** Whether `/readyz` reports ready while migrations are pending; false by default in production. */
  allowPending?: boolean;
}

/** A booted application. */
export class Application {
  readonly settings: Settings;
  readonly allowPending: boolean;
  readonly kernel: Kernel;
  readonly log: Logger;
  readonly constants = new Constants();
  readonly paths = new RoutePaths();
  readonly engines = new Map<string, Engine>();
  /** Methods that plugins add to route sets and engines. */
  readonly routeMacros = new MacroTable<RouteSet>();
  readonly engineMacros = new MacroTable<Engine>();
  /** @deprecated Use `routeMacros`. */
  readonly routeWords = this.routeMacros;
  /** @deprecated Use `engineMacros`. */
  readonly engineWords = this.engineMacros;
  readonly authModes = new AuthModes();
  /** Which origins may call which paths. */
  readonly crossOrigins = new CrossOrigins();
  /** The routes of the main application, then those of each engine by name. */
  readonly routeSets = new Map<string | undefined, RouteSet>();
  mounts: readonly MountedEngine[] = [];
  packages: readonly Package[] = [];
  readonly #controllers = new Map<string, ControllerClass>();
  readonly #loader: Loader;
  readonly #server: HttpServer;
  readonly #prefixes = new Map<unknown, readonly string[]>();
  #dispatcher: Router | undefined;
  #database: DatabasePort | undefined;

  constructor(settings: Settings, { trace, built = false, allowPending }: OpenOptions) {
    this.settings = settings;
    this.allowPending = allowPending ?? settings.env !== "production";
    this.kernel = new Kernel(settings, trace);
    this.log = openLog(settings);
    this.#loader = new Loader(settings.root, built);
    this.#server = new HttpServer(this);
  }

  get hooks(): HostHooks {
    return this.kernel.slotHooks("host");
  }
  get texts(): TextsPort | undefined {
    return optionalService(this.kernel, "i18n");
  }
  async listen(port = this.settings.port, host = this.settings.host): Promise<{ port: number; url: string }> {
    const address = await this.#server.listen(port, host);
    this.hooks.listening.call();
    return address;
  }
  /** Lets requests in flight finish, then closes every plugin in reverse order. */
  async close(): Promise<void> {
    this.hooks.stopping.call();
    await this.#server.close();
    await this.kernel.close();
    if (current === this) current = undefined;
  }

  async respond(request: RequestContext): Promise<Reply> {
    this.#database ??= optionalService(this.kernel, "database");
    if (this.#database?.unready) throw this.#database.unready;
    const reply = await this.#dispatcher!.dispatch(request);
    const lines = [...request.setCookies];
    if (request.session.changed) {
      const line = await optionalService(this.kernel, "sessions")?.save(request.session, request);
      if (line !== undefined) lines.push(line);
    }
    if (lines.length > 0) reply.headers["set-cookie"] = [...[reply.headers["set-cookie"] ?? []].flat(), ...lines];
    return reply;
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

  /** The controller class of a drawn route. */
  controllerOf(route: Route, engine: Engine | undefined): ControllerClass | undefined {
    return this.#controllers.get(`${engine?.name ?? ""} ${route.verb} ${route.pattern}`);
  }

  /** Every drawn route, as `fw routes` prints them. */
  routes(): RouteInfo[] {
    return routeList(this);
  }

  /** Records the controller class of a route, and calls the hook `compile`. */
  recordController(route: Route, engine: Engine | undefined, controller: ControllerClass, where: string): void {
    this.#controllers.set(`${engine?.name ?? ""} ${route.verb} ${route.pattern}`, controller);
    this.hooks.compile.call({ route, engine, controller, where });
  }

  async open(plugins: readonly Plugin[]): Promise<void> {
    const draw = async () => {
      this.#dispatcher = await drawApplication(this, this.#loader);
    };
    await this.kernel.open([hostPlugin(this), ...plugins], { load: () => loadApplication(this, this.#loader), draw });
  }

  /** Applies the plugins and runs `work`, without loading, connecting or drawing; then closes them. */
  async withPlugins(plugins: readonly Plugin[], work: () => void): Promise<void> {
    const done = Symbol("done");
    const load = () => {
      work();
      throw done; // before anything connects
    };
    await this.kernel.open([hostPlugin(this), ...plugins], { load }).catch((reason: unknown) => {
      if (reason !== done) throw reason;
    });
  }

  static async pluginsOf(root: string, built: boolean): Promise<readonly Plugin[]> {
    const module = await new Loader(root, built).file("plugins.config");
    if (!module) throw errors.FW_APP_ROOT(root);
    if (!Array.isArray(module.default)) throw errors.FW_FILE_EXPORT("plugins.config.ts", "default definePlugins([…])");
    return module.default as readonly Plugin[];
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

/** The host as a plugin: it fills the slot "host" with the application. */
function hostPlugin(application: Application): Plugin {
  return definePlugin({
    name: "host",
    provides: "host",
    hooks: (): HostHooks => ({
      page: new SyncHook<[PageLocals, BaseController]>(["locals", "controller"]),
      loaded: new SyncHook<[Application]>(["application"]),
      engine: new SyncHook<[Engine]>(["engine"]),
      prepare: new AsyncSeriesHook<[Application]>(["application"]),
      compile: new SyncHook<[CompiledTarget]>(["compiled"]),
      list: new SyncHook<[RouteInfo, CompiledTarget]>(["info", "listed"]),
      listening: new SyncHook<[]>(),
      ready: new AsyncSeriesBailHook<[], string | undefined>(),
      stopping: new SyncHook<[]>(),
      examine: new AsyncSeriesHook<[Finding[]]>(["findings"]),
    }),
    apply: () => application,
  });
}

let current: Application | undefined; // models are bound to one database: one open application a process

/** Reads, boots and draws the application in a folder; it does not listen yet. @throws FramewrightError */
export async function openApplication(options: OpenOptions): Promise<Application> {
  if (current) throw errors.FW_OPEN_TWICE();
  const settings = options.settings ?? readSettings({ root: options.root });
  const application = new Application(settings, options);
  current = application;
  try {
    await application.open(options.plugins ?? (await Application.pluginsOf(options.root, options.built ?? false)));
    return application;
  } catch (error) {
    current = undefined;
    throw error;
  }
}
