import { Socket } from "node:net";
import type { Account } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { addToOrigin } from "../app/origin.ts";
import { setIdentity, unstated } from "../controllers/authentication.ts";
import type { BaseController, ControllerClass } from "../controllers/controller.ts";
import { notFound } from "../errors.ts";
import type { Reply } from "../http/reply.ts";
import { RequestContext } from "../http/request.ts";
import { IncomingMessage } from "../support/node_http.ts";
import { admissionOf, admit, passConstraint } from "./admission.ts";
import type { Route } from "./route.ts";

/** Where a person started what a job does for them. */
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
 * Takes such a controller to the point before its action, for this account, as a request of that person would get there: the
 * constraints of mount and route, then all that `admit` goes through, but for the token. What one of them replied means that the person
 * could not get there, and so does an HttpError.
 */
export async function enterInBackground(controller: BaseController, account: Account): Promise<Reply | undefined> {
  const { request } = controller;
  const { application, engine, route } = request;
  const controllerClass = controller.constructor as ControllerClass;
  setIdentity(request, (controllerClass as unknown as typeof BaseController).authentication ?? unstated, account);
  const refused = engine && (await passMounts(engine, request));
  if (refused) return refused;
  const passed = await passConstraint(route!, request);
  if (passed !== true) return passed;
  const admission = admissionOf(application, route!, engine, controllerClass);
  return admit(controller, { ...admission, guests: false, csrf: false });
}

/** What the mounts of a place answer where none is open to the request. @throws HttpError 404 where there is none any more */
async function passMounts(engine: Engine, request: RequestContext): Promise<Reply | undefined> {
  const prefix = engine.prefixParameters.length;
  const at = prefix === 0 ? request.mountPath : request.mountPath.split("/").slice(0, -prefix).join("/");
  let refusal: Reply | undefined;
  for (const mount of request.application.mounts) {
    if (mount.engine !== engine || mount.at !== at) continue;
    const answer = await passConstraint(mount, request);
    if (answer === true) return undefined;
    refusal ??= answer;
  }
  return refusal ?? Promise.reject(notFound());
}
