import { suggest } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { optionalService } from "../app/ports.ts";
import { providers } from "../app/providers.ts";
import { BaseController, type ControllerClass } from "../controllers/controller.ts";
import { viewNames } from "../controllers/render_page.ts";
import { errors } from "../errors.ts";
import { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import { type Admission, admissionOf, admit, prototypes } from "./admission.ts";
import { publicMaxAgeOf } from "./public_routes.ts";
import type { Action, ControllerRef, Route } from "./route.ts";

/** A route with its controller, action and before-actions resolved at boot. */
export interface CompiledRoute {
  readonly route: Route;
  readonly engine: Engine | undefined;
  readonly controller: ControllerClass;
  /** The names of the path's parameters, those of the mount first. */
  readonly parameters: readonly string[];
  run(request: RequestContext): Promise<Reply>;
}

/** Resolves the controller of a route and binds its action and before-actions. @throws FW_CONTROLLER_UNKNOWN, FW_ACTION_UNKNOWN, FW_BEFORE_ACTION */
export function compileRoute(application: ApplicationContext, route: Route, engine: Engine | undefined): CompiledRoute {
  const where = `${route.verb} ${engine ? `${engine.name}:` : ""}${route.pattern}`;
  const controller = resolve(application, route.controller, engine, where);
  checkAction(controller, route.action, where, application);
  const mode = (controller as unknown as typeof BaseController).authentication?.mode;
  if (mode !== undefined && !application.authModes.has(mode))
    throw errors.FW_AUTH_MODE(controller.name, where, mode, providers.modes[mode]);
  application.recordController(route, engine, controller, where);
  const admission = admissionOf(application, route, engine, controller); // once plugins have declared who may not write
  const parameters = [...(engine?.prefixParameters ?? []), ...route.parameters];
  const publicMaxAge = publicMaxAgeOf(application, route, controller, engine);
  const bound = { ...admission, action: route.action, publicMaxAge };
  return { route, engine, controller, parameters, run: (request) => run(new controller(request), bound) };
}

function resolve(
  application: ApplicationContext,
  given: ControllerClass | ControllerRef,
  engine: Engine | undefined,
  where: string,
) {
  const ref: ControllerRef =
    typeof given === "function" ? { path: given.name, engine: engine?.name, fallback: given } : given;
  const answer = application.kernel.hooks.resolveController.call(ref);
  if (answer) return answer;
  if (typeof given === "function") return given;
  const path = [engine?.path, `${given.path}_controller`].filter(Boolean).join("/");
  const found = application.constants.byPath(path) ?? given.fallback;
  if (found) return found as ControllerClass;
  const file = `${engine ? `packages/${engine.path}/` : ""}app/controllers/${path}.ts`;
  throw errors.FW_CONTROLLER_UNKNOWN(given.path, file, where);
}

function checkAction(
  controller: ControllerClass,
  action: Action,
  where: string,
  application: ApplicationContext,
): void {
  if (typeof action !== "string") return;
  if (typeof controller.prototype[action] === "function" && !(action in BaseController.prototype)) return;
  const prefixes = application.viewPrefixes(controller);
  const views = optionalService(application.kernel, "views");
  if (
    !(action in BaseController.prototype) &&
    prefixes.some((prefix) => views?.exists(undefined, `${prefix}/${action}`))
  )
    return;
  throw errors.FW_ACTION_UNKNOWN(controller.name, action, where, suggest(action, methodNames(controller)));
}

function methodNames(controller: ControllerClass): string[] {
  const names: string[] = [];
  for (const prototype of prototypes(controller))
    if (prototype !== BaseController.prototype) names.push(...Object.getOwnPropertyNames(prototype));
  return names;
}

type Method = () => unknown;

/** What a request to the route runs, resolved at boot. */
interface BoundRoute extends Admission {
  readonly action: Action;
  readonly publicMaxAge: number;
}

async function run(controller: BaseController, bound: BoundRoute): Promise<Reply> {
  const reply = (await admit(controller, bound)) ?? (await answer(controller, bound.action));
  if (controller.currentUser !== undefined)
    reply.headers["cache-control"] ??= "no-store"; // what one person saw is nobody else's
  else if (bound.publicMaxAge > 0) controller.request.publicMaxAge = bound.publicMaxAge;
  return reply;
}

async function answer(controller: BaseController, action: Action): Promise<Reply> {
  const method =
    typeof action === "string" ? (controller[action as keyof BaseController] as Method | undefined) : undefined;
  const given = typeof action === "string" ? await method?.call(controller) : await action(controller);
  if (controller.reply) return controller.reply;
  if (given instanceof Reply) return given;
  return renderByName(controller, controller.request);
}

/** An action that returns nothing renders the view of its name. */
function renderByName(controller: BaseController, request: RequestContext): Reply {
  const views = optionalService(request.kernel, "views");
  const names = viewNames(controller, controller.actionName);
  if (!names.some((name) => views?.exists(request.engine?.path, name))) {
    throw errors.FW_NO_ANSWER(controller.constructor.name, controller.actionName);
  }
  return controller.render();
}
