import type { BaseController, ControllerClass } from "../controllers/controller.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";

/** An HTTP method that a route may have. */
export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export const verbs: readonly Verb[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What a route runs: a method of the controller by name, or a function that takes the controller. */
export type Action = string | ((controller: BaseController) => unknown);

declare module "framewright/kernel" {
  interface ControllerRef {
    readonly path: string;
    readonly engine: string | undefined;
  }
}

/** A controller by its path (`posts`, `blogging/posts`), looked up among the constants of the engine when routes are drawn. */
export interface ControllerRef {
  /** `posts`, `blogging/posts` */
  path: string;
  /** The engine whose route it is; undefined for the main application. */
  engine: string | undefined;
  /** The class that serves it when no file does. */
  fallback?: ControllerClass;
}

/** What is known of a route besides its target: for lists of routes, tests and plugins. */
export interface RouteMetadata {
  /** The constant of the resource it serves, and the policy method that is called. */
  resource?: string;
  policy?: string;
  association?: string;
  layout?: string;
  /**
   * "form": unsafe verbs need a token; "origin": or the browser's word that a page of ours sends them (`Sec-Fetch-Site`, `Origin`);
   * "none": neither, for the reason in `csrfReason`.
   */
  csrf?: "form" | "origin" | "none";
  csrfReason?: string;
  /** "refuse": guests get 401 here, also where the mode of authentication admits them. */
  guests?: "refuse";
  /** A key requires no scope for it: what it answers with is confined to what the key may read, by the action itself. */
  checksScopes?: boolean;
  /** It only makes other requests with the credentials that it came with, and each of those is admitted by itself: a key requires no scope for it. */
  carriesRequests?: boolean;
}

/** Options of `get`, `post` and the like. */
export interface RouteOptions extends RouteMetadata {
  /** `"posts#index"`; for main routes and portals alike. */
  to?: string;
  controller?: ControllerClass | ControllerRef;
  action?: Action;
  /** The name of its path helpers. */
  as?: string;
  /** By parameter, which column of a record is in the path, as in `{ id: "slug" }`; its id by default, and where that is empty. */
  keys?: Readonly<Record<string, string>>;
}

/** Decides whether a mount or a route is open to a request; a Reply (or a promise of one) is the answer when it is not. */
export type Constraint = (request: RequestContext) => true | Reply | Promise<true | Reply>;

/** One drawn route. */
export interface Route {
  readonly verb: Verb;
  /** Below the engine's mount: `/posts/:id`. */
  readonly pattern: string;
  readonly segments: readonly string[];
  readonly parameters: readonly string[];
  /** By parameter, which column of a record is in the path; its id where none is named. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  readonly name: string | undefined;
  readonly controller: ControllerClass | ControllerRef;
  readonly action: Action;
  readonly metadata: RouteMetadata;
  /** Of a route that is drawn within `routes.constraints`; that of its mount is passed before. */
  readonly constraint?: Constraint | undefined;
  /** What drew it, where that is not the application's own file: `the part "audit"`. */
  readonly source?: string | undefined;
  /** The plugin that drew it; undefined for the routes of the application's own file, and for those of macros in it. */
  readonly plugin?: string | undefined;
}

/** Names that JavaScript infers for functions without one, as of `{ action: (controller) => … }`. */
const inferred: ReadonlySet<string> = new Set(["", "action"]);
/** In place of the name of a function without one. */
export const NAMELESS = "(function)";
export const describeAction = (action: Action): string =>
  typeof action === "string" ? action : inferred.has(action.name) ? NAMELESS : action.name;
export const ownerOf = ({ controller }: Pick<Route, "controller">): string =>
  typeof controller === "function" ? controller.name : controller.path;
export const describeRoute = (route: Pick<Route, "controller" | "action">): string =>
  `${ownerOf(route)}#${describeAction(route.action)}`;
