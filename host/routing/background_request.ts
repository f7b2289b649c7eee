import { Socket } from "node:net";
import type { Account } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { addToOrigin } from "../app/origin.ts";
import { setIdentity } from "../controllers/authentication.ts";
import type { BaseController, ControllerClass } from "../controllers/controller.ts";
import type { Reply } from "../http/reply.ts";
import { RequestContext } from "../http/request.ts";
import { IncomingMessage } from "../support/node_http.ts";
import { beforeActionsFor, runSteps } from "./compiled_route.ts";
import { describeAction, type Route } from "./route.ts";

/** Where a person asked for what a job does for them. */
export interface BackgroundPlace {
  readonly route: Route;
  readonly engine: Engine | undefined;
  /** Path and query, as the client sent them. */
  readonly url: string;
  readonly host: string | undefined;
  readonly mountPath: string;
  readonly routeParams: Readonly<Record<string, string>>;
  /** The person's time zone, where it was known. */
  readonly timeZone?: string | undefined;
  /** The person's language, where the application offers several. */
  readonly locale?: string | undefined;
}

/** The place of a request, to act there again in a job. */
export function backgroundPlace(request: RequestContext, search = request.search): BackgroundPlace {
  const { route, engine, path, mountPath, routeParams } = request;
  const url = search === "" ? path : `${path}?${search}`;
  const host = request.header("host");
  const timeZone = request.timeZone.isAssumed ? undefined : request.timeZone.name;
  const locale = request.application.languages.areSeveral ? request.locale : undefined;
  return { route: route!, engine, url, host, mountPath, routeParams: { ...routeParams }, timeZone, locale };
}

/** The controller of a place, with a request that came from nobody. */
export function openInBackground(application: ApplicationContext, place: BackgroundPlace): BaseController {
  const raw = new IncomingMessage(new Socket());
  raw.method = place.route.verb;
  raw.url = place.url;
  if (place.host !== undefined) raw.headers.host = place.host;
  const request = new RequestContext(application, raw);
  request.isBackground = true;
  request.givenTimeZone = place.timeZone;
  request.givenLocale = place.locale;
  request.route = place.route;
  request.engine = place.engine;
  request.mountPath = place.mountPath;
  request.routeParams = { ...place.routeParams };
  const controller = application.controllerOf(place.route) as ControllerClass;
  request.controller = new controller(request);
  addToOrigin({ request });
  return request.controller;
}

/**
 * Takes such a controller to the point before its action, for this account: the mount's constraint, the tenant, what
 * plugins prepare, and before-actions. What one of them replied means that the person could not get there.
 */
export async function enterInBackground(controller: BaseController, account: Account): Promise<Reply | undefined> {
  const { request } = controller;
  const { application, engine, mountPath, route } = request;
  const { authentication } = controller.constructor as typeof BaseController;
  if (authentication) setIdentity(request, authentication, account);
  const mount = application.mounts.find((one) => one.engine === engine && mountPath.startsWith(one.at));
  const admitted = mount?.constraint ? await mount.constraint(request) : true;
  if (admitted !== true) return admitted;
  controller.actionName = describeAction(route!.action);
  controller.currentUser = account;
  const steps = beforeActionsFor(controller.constructor as ControllerClass, route!.action);
  return runSteps(controller, (engine ?? application).prepare, steps);
}
