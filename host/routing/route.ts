import type { BaseController, ControllerClass } from "../controllers/controller.ts";

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export const verbs: readonly Verb[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What a route runs: a method of the controller by name, or a function that is handed the controller. */
export type Action = string | ((controller: BaseController) => unknown);

/** A controller by its path (`posts`, `blogging/posts`), looked up among the constants of the engine when routes are drawn. */
export interface ControllerRef {
  /** `posts`, `blogging/posts` */
  path: string;
  /** The engine whose route it is; undefined for the main application. */
  engine: string | undefined;
  /** What serves it when no file does. */
  fallback?: ControllerClass;
}

/** What the route lists, the tests and later plugins know about a route besides where it leads. */
export interface RouteFacts {
  /** The constant of the resource it serves, and the policy method that is asked. */
  resource?: string;
  policy?: string;
  association?: string;
  layout?: string;
  /** "form": a token is asked on unsafe verbs; "none": the route says why not in `csrfReason`. */
  csrf?: "form" | "none";
  csrfReason?: string;
  /** "refuse": who is nobody is answered 401 here, also where the mode of authentication admits guests. */
  guests?: "refuse";
}

export interface RouteOptions extends RouteFacts {
  /** `"posts#index"`; for main routes and portals alike. */
  to?: string;
  controller?: ControllerClass | ControllerRef;
  action?: Action;
  /** The name that path helpers are made of. */
  as?: string;
}

/** One drawn route. */
export interface Route {
  readonly verb: Verb;
  /** Below the engine's mount: `/posts/:id`. */
  readonly pattern: string;
  readonly segments: readonly string[];
  readonly parameters: readonly string[];
  readonly name: string | undefined;
  readonly controller: ControllerClass | ControllerRef;
  readonly action: Action;
  readonly facts: RouteFacts;
}

export const describeAction = (action: Action): string =>
  typeof action === "string" ? action : action.name || "(function)";
export function describeRoute(route: Pick<Route, "controller" | "action">): string {
  const owner = typeof route.controller === "function" ? route.controller.name : route.controller.path;
  return `${owner}#${describeAction(route.action)}`;
}
