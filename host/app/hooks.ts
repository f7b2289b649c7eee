import type { AsyncSeriesBailHook, AsyncSeriesHook, InPortal, SyncHook } from "framewright/kernel";
import type { ControllerClass } from "../controllers/controller.ts";
import type { PageHooks } from "../controllers/render_page.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import type { Route, RouteMetadata } from "../routing/route.ts";
import type { ApplicationContext } from "./application_context.ts";
import type { Engine } from "./mounted_engine.ts";
import type { ObservedEvent } from "./observed_event.ts";

/** The hooks of the slot "host". */
export interface HostHooks extends PageHooks {
  /** All classes are loaded, engines are not: inspect the constants. */
  loaded: SyncHook<[application: ApplicationContext]>;
  /** An engine was created; its own block runs next. */
  engine: SyncHook<[engine: Engine], void, InPortal>;
  /** @experimental The database is connected and all engines are initialized: prepare what routes need, before any is drawn. */
  prepare: AsyncSeriesHook<[application: ApplicationContext]>;
  /** @experimental A route got its controller class: check or record it. */
  compile: SyncHook<[compiled: CompiledTarget]>;
  /** @experimental `fw routes` lists a route: add to what it shows. */
  list: SyncHook<[info: RouteInfo, listed: CompiledTarget]>;
  /** The server listens: start background work. Commands that only boot the application do not come here. */
  listening: SyncHook<[]>;
  /**
   * Before a request is routed: its session, account, tenant and CSRF token are unknown. Return a Reply to answer it; the
   * first answer wins. Health checks and files do not come here.
   */
  request: AsyncSeriesBailHook<[request: RequestContext], Reply | undefined>;
  /** A person chose a language in this browser: store it where it is kept, as with an account. */
  locale: AsyncSeriesHook<[locale: string, request: RequestContext]>;
  /**
   * A request was answered, and nobody has the reply yet; undefined where it failed. Its session is not stored yet. A tap that
   * fails is logged under its plugin's name, and changes nothing of the reply.
   */
  settled: AsyncSeriesHook<[request: RequestContext, reply: Reply | undefined]>;
  /** Before the reply to a request is written, also that to an error: add headers. */
  reply: SyncHook<[reply: Reply, request: RequestContext], void, InPortal>;
  /**
   * The application did something: a request, a statement, a template or a job started or ended. For measuring and tracing; see
   * `ObservedEvent`. A tap that fails is logged under its plugin's name and changes nothing. Untapped, nothing is measured.
   */
  observe: SyncHook<[event: ObservedEvent]>;
  /** `/readyz` is requested: return why the application should get no requests now, or undefined. A tap that takes longer than 2,000 ms has failed. */
  ready: AsyncSeriesBailHook<[], string | undefined>;
  /** The application is about to close: start nothing new; requests are still answered. */
  stopping: SyncHook<[]>;
  /** `fw doctor` runs: add findings, with what to do where something is wrong. */
  examine: AsyncSeriesHook<[findings: Finding[]]>;
  /** `fw doctor --explain` runs: add findings about how the database runs statements; of small tables as well where `all` is true. */
  explain: AsyncSeriesHook<[findings: Finding[], all: boolean]>;
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
/** A route as `fw routes --json` prints it. */
export interface RouteInfo extends Omit<RouteMetadata, "guests"> {
  verb: string;
  path: string;
  name: string | undefined;
  /**
   * The names by which its code is found: `AdminPortal::PostsController#index`, or `resources#answerSearch`, of a plugin and
   * its function. `config/routes.ts`, where a function without a name is drawn.
   */
  to: string;
  engine: string | undefined;
  /** Who may come in, by the controller and its base classes. */
  account: string;
  /** How the tenant is found, in a scoped portal. */
  tenant: string | undefined;
  constrained: boolean;
  /** What a guest may do: nothing, read, or write. */
  guests: "refuse" | "read" | "write";
}
