import type { Route, RouteOptions, Verb } from "framewright/host";
import type { ResourceRequest } from "../request.ts";
import type { RecordAnswer, ResourceRoute } from "./registration.ts";

/** What a route of a resource runs, on the resource's controller. */
export type ResourceRouteAction = string | ((controller: ResourceRequest) => unknown);
/** Options of a route that the controller of a resource serves. */
export type ResourceRouteOptions = Omit<RouteOptions, "action"> & { action?: ResourceRouteAction };

/** Where a resource is served: at its own address, or below a parent's. */
export interface ResourcePlace {
  readonly about: ResourceRoute;
  /** The path of the list, below the mount: `posts`; of a singular resource, its page. */
  readonly base: string;
  /** The path of one record: `posts/:id`. */
  readonly member: string;
  /** Whether there is one record at most, and no list. */
  readonly single: boolean;
  /** Whether a record in between leads here, which a new one would have to create as well. */
  readonly through: boolean;
  /**
   * Draws a route that the resource's own controller serves. With `answer` its action is "edit" or "update", which finds and
   * authorizes the record: `draw("POST", `${member}/archive`, { action: "update", policy: "canUpdate", answer: archive })`.
   */
  draw(verb: Verb, path: string, options: ResourceRouteOptions & { answer?: RecordAnswer }): Route;
}
