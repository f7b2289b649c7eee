import type { IncomingMessage } from "node:http";
import {
  AsyncSeriesHook,
  definePlugin,
  type Plugin,
  type Settings,
  SyncHook,
  type TapCall,
  tapsOf,
} from "framewright/kernel";
import { errors } from "../errors.ts";
import { replyTo } from "../http/error_reply.ts";
import { publicReply } from "../http/public_cache.ts";
import { copyOf, Reply } from "../http/reply.ts";
import { varyByLanguage } from "../http/reply_language.ts";
import { RequestContext } from "../http/request.ts";
import { replyOfPlugins, requestHook } from "../http/request_hooks.ts";
import { wholeOf } from "../http/send_stream.ts";
import { HttpServer } from "../http/server.ts";
import { routeList } from "../routing/route_list.ts";
import type { Router } from "../routing/router.ts";
import { ApplicationContext } from "./application_context.ts";
import { drawApplication } from "./draw_routes.ts";
import type { CompiledTarget, Finding, HostHooks, RouteInfo } from "./hooks.ts";
import { loadApplication } from "./load.ts";
import { Loader } from "./loader.ts";
import type { ObservedEvent } from "./observed_event.ts";
import { withOrigin } from "./origin.ts";
import { type DatabasePort, optionalService } from "./ports.ts";
import { readyHook } from "./readiness.ts";
import { registeredFindings } from "./registered_findings.ts";
import { readSettings } from "./settings.ts";
import { factories } from "./standard_plugins.ts";
import { checkVersions } from "./versions.ts";

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
  /** Whether models may name columns that are missing, as while migrations are pending: for commands that change tables. */
  anyColumns?: boolean;
  /** Where the log is written; stdout by default. */
  logTo?: "stdout" | "stderr";
}

/** How an application closes. */
export interface CloseOptions {
  /**
   * Whether idle connections stay open until their clients had the time to use or close them (6 s): for a process whose
   * successor serves already. No request that is on its way is cut then.
   */
  drain?: boolean;
}

/** A booted application: opens its plugins, listens and closes. */
export class Application extends ApplicationContext {
  readonly #loader: Loader;
  readonly #server: HttpServer;
  #dispatcher: Router | undefined;
  #database: DatabasePort | undefined;
  /** Whether a plugin taps the hook `request`: asking once at boot leaves nothing to do for a request. */
  #asksPlugins = false;
  #settlesRequests = false;

  constructor(settings: Settings, { trace, built = false, ...options }: OpenOptions) {
    super(settings, { trace, ...options });
    this.#loader = new Loader(settings.root, built);
    this.#server = new HttpServer(this);
  }

  async listen(port = this.settings.port, host = this.settings.host): Promise<{ port: number; url: string }> {
    const address = await this.#server.listen(port, host);
    try {
      this.hooks.listening.call();
      if (this.settings.worker.index === 1) this.periodic.start();
    } catch (error) {
      await this.close().catch(() => undefined); // the first failure is the one to report
      throw error;
    }
    return address;
  }
  /** Lets requests in flight finish, then closes every plugin in reverse order. What fails is thrown once all is closed. */
  async close(options: CloseOptions = {}): Promise<void> {
    const periodic = this.periodic.stop(this.settings.limits.shutdown);
    const failures: unknown[] = [];
    const stopping = tapsOf(this.hooks.stopping).map(({ call }) => call); // one by one: the others stop all the same
    const steps = [...stopping, () => this.#server.close(options), () => periodic, () => this.kernel.close()];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (current === this) current = undefined;
    if (failures.length > 0) throw failures[0];
  }

  async respond(request: RequestContext): Promise<Reply> {
    this.#database ??= optionalService(this.kernel, "database");
    if (this.#database?.unready) throw this.#database.unready;
    const given = await (this.tracksOrigins
      ? withOrigin({ request }, () => this.#answered(request))
      : this.#answered(request));
    const noting = this.#database?.noteWrites?.(request);
    if (noting) await noting;
    if (!request.cookieless) request.flash.save();
    const { session, setCookies } = request;
    const isSaved = session.changed && !request.cookieless; // a client that has a token gets no session beside it
    const line = isSaved ? await optionalService(this.kernel, "sessions")?.save(session, request) : undefined;
    const lines = line === undefined ? setCookies : [...setCookies, line];
    if (lines.length === 0) return given;
    const reply = copyOf(given); // a controller may keep one reply for everybody: it must not collect their cookies
    reply.headers["set-cookie"] = [...[reply.headers["set-cookie"] ?? []].flat(), ...lines];
    return reply;
  }

  #answered(request: RequestContext): Promise<Reply> {
    const answer = this.#asksPlugins ? this.#askPlugins(request) : this.#dispatcher!.dispatch(request);
    return this.#settlesRequests ? this.#settle(request, answer) : answer;
  }

  async #settle(request: RequestContext, answer: Promise<Reply>): Promise<Reply> {
    let reply: Reply | undefined;
    try {
      reply = await answer;
      return reply;
    } finally {
      await this.hooks.settled.promise(request, reply);
    }
  }

  async #askPlugins(request: RequestContext): Promise<Reply> {
    return (await this.hooks.request.promise(request)) ?? this.#dispatcher!.dispatch(request);
  }

  /** Answers a request that came by no socket, as the server would: errors too. For tests, and for requests that another one carries. */
  async answer(raw: IncomingMessage): Promise<Reply> {
    let request: RequestContext | undefined;
    let reply: Reply;
    try {
      request = new RequestContext(this, raw);
      reply = await this.respond(request);
    } catch (error) {
      reply = await replyTo(error, this, request);
    }
    if (request && this.languages.areSeveral) varyByLanguage(reply, request);
    if (request && this.hooks.reply.taps.length > 0) reply = replyOfPlugins(this, reply, request);
    if (request) reply = publicReply(reply, request);
    return reply.stream ? new Reply(reply.status, await wholeOf(reply.stream), reply.headers) : reply;
  }

  /** Every drawn route, as `fw routes` prints them. */
  routes(): RouteInfo[] {
    return routeList(this);
  }

  async open(plugins: readonly Plugin[]): Promise<void> {
    const draw = async () => {
      this.#dispatcher = await drawApplication(this, this.#loader);
      this.#asksPlugins = this.hooks.request.taps.length > 0;
      this.#settlesRequests = this.hooks.settled.taps.length > 0;
      this.observation.open();
    };
    await checkVersions(plugins);
    const load = () => loadApplication(this, this.#loader);
    await this.kernel.open([hostPlugin(this), ...plugins], {
      load,
      draw,
      values: this.settings.values,
      factories,
    });
  }

  /** Applies the plugins and runs `work`, without loading classes, booting or drawing; then closes them. */
  async withPlugins(plugins: readonly Plugin[], work: () => void | Promise<void>): Promise<void> {
    const done = Symbol("done");
    const load = async () => {
      await work();
      throw done; // before anything connects
    };
    await checkVersions(plugins);
    const { values } = this.settings;
    await this.kernel.open([hostPlugin(this), ...plugins], { load, values, factories }).catch((reason: unknown) => {
      if (reason !== done) throw reason;
    });
  }

  static async pluginsOf(root: string, built: boolean): Promise<readonly Plugin[]> {
    const module = await new Loader(root, built).file("plugins.config");
    if (!module) throw errors.FW_APP_ROOT(root);
    if (!Array.isArray(module.default)) throw errors.FW_FILE_EXPORT("plugins.config.ts", "default definePlugins([…])");
    return module.default as readonly Plugin[];
  }
}

/** The host as a plugin: it fills the slot "host" with the application. */
function hostPlugin(application: Application): Plugin {
  return definePlugin({
    name: "host",
    provides: "host",
    hooks: (): HostHooks => ({
      page: new SyncHook(["locals", "controller"]),
      loaded: new SyncHook<[ApplicationContext]>(["application"]),
      engine: new SyncHook(["engine"]),
      prepare: new AsyncSeriesHook<[ApplicationContext]>(["application"]),
      compile: new SyncHook<[CompiledTarget]>(["compiled"]),
      list: new SyncHook<[RouteInfo, CompiledTarget]>(["info", "listed"]),
      listening: new SyncHook<[]>(),
      request: requestHook(),
      locale: new AsyncSeriesHook<[string, RequestContext]>(["locale", "request"]),
      settled: new AsyncSeriesHook<[RequestContext, Reply | undefined]>(["request", "reply"]),
      reply: new SyncHook(["reply", "request"]),
      observe: new SyncHook<[ObservedEvent]>(["event"]),
      ready: readyHook(application),
      stopping: new SyncHook<[]>(),
      examine: new AsyncSeriesHook<[Finding[]]>(["findings"]),
      explain: new AsyncSeriesHook<[Finding[], boolean]>(["findings", "all"]),
    }),
    isolated: { page: () => undefined, settled: () => undefined },
    portalOf: {
      page: (_, { request }) => request.engine?.name,
      engine: ({ name }) => name,
      reply: (_, { engine }) => engine?.name,
    },
    apply({ hooks, registrant }) {
      application.registrant.follow(registrant);
      hooks.host.examine.tap("host", (findings) => void findings.push(...registeredFindings(application)));
      return application;
    },
  });
}

/** Module-level: models are bound to one database, so that a process has one open application. */
let current: Application | undefined;

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
