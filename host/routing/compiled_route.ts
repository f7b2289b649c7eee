import { suggest } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import { modeProviders } from "../app/macro_providers.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { optionalService } from "../app/ports.ts";
import { admitsGuests } from "../controllers/authentication.ts";
import { BaseController, type BeforeAction, type ControllerClass } from "../controllers/controller.ts";
import { viewNames } from "../controllers/render_page.ts";
import { errors } from "../errors.ts";
import { checkCsrf, stripFormFields } from "../http/csrf.ts";
import { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import { publicMaxAgeOf } from "./public_routes.ts";
import { type Action, type ControllerRef, describeAction, type Route } from "./route.ts";

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
    throw errors.FW_AUTH_MODE(controller.name, where, mode, modeProviders[mode]);
  const beforeActions = beforeActionsFor(controller, route.action);
  application.recordController(route, engine, controller, where);
  const parameters = [...(engine?.prefixParameters ?? []), ...route.parameters];
  const bound = {
    action: route.action,
    name: describeAction(route.action),
    beforeActions,
    prepare: (engine ?? application).prepare,
    publicMaxAge: publicMaxAgeOf(application, route, controller, engine),
    admitsGuests: route.metadata.guests !== "refuse" && admitsGuests(application.authModes, controller),
  };
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

function* prototypes(controller: ControllerClass): Generator<BaseController> {
  for (let at = controller.prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) yield at;
}

/** Module-level: found by a class, which never changes. */
const declared = new WeakMap<ControllerClass, readonly BeforeAction[]>();

/** The before-actions of all actions, those of the base classes first; found once for each class. */
function declaredBeforeActions(controller: ControllerClass): readonly BeforeAction[] {
  const known = declared.get(controller);
  if (known) return known;
  const found = [...prototypes(controller)].reverse().flatMap((prototype) => {
    const owner = prototype.constructor as typeof BaseController;
    const own = Object.hasOwn(owner, "beforeActions") ? owner.beforeActions : [];
    return own.map((entry): BeforeAction => (typeof entry === "string" ? { run: entry } : entry));
  });
  declared.set(controller, found);
  return found;
}

/** The before-actions of an action, those of the base classes first. @throws FW_BEFORE_ACTION */
export function beforeActionsFor(controller: ControllerClass, action: Action): string[] {
  const name = describeAction(action);
  const names = declaredBeforeActions(controller)
    .filter(({ only, except }) => (!only || only.includes(name)) && !except?.includes(name))
    .map(({ run: method }) => method);
  for (const method of names) {
    if (typeof controller.prototype[method] !== "function") throw errors.FW_BEFORE_ACTION(controller.name, method);
  }
  return names;
}

type Method = () => unknown;

/** What a request to the route runs, resolved at boot. */
interface BoundRoute {
  readonly action: Action;
  readonly name: string;
  readonly beforeActions: readonly string[];
  readonly prepare: Engine["prepare"];
  readonly publicMaxAge: number;
  readonly admitsGuests: boolean;
}

async function run(controller: BaseController, bound: BoundRoute): Promise<Reply> {
  controller.actionName = bound.name;
  const reply = await answer(controller, bound);
  if (controller.currentUser !== undefined)
    reply.headers["cache-control"] ??= "no-store"; // what one person saw is nobody else's
  else if (bound.publicMaxAge > 0) controller.request.publicMaxAge = bound.publicMaxAge;
  return reply;
}

async function answer(controller: BaseController, bound: BoundRoute): Promise<Reply> {
  const { action, beforeActions, prepare } = bound;
  controller.request.controller = controller;
  controller.currentUser = (await controller.findCurrentUser()) ?? undefined;
  if (controller.reply) return controller.reply; // for example a redirect to the login; the form that was sent is not acted upon
  if (controller.currentUser === undefined && !bound.admitsGuests) return refuseGuest(controller);
  if (controller.request.route?.metadata.csrf !== "none") checkCsrf(controller.request);
  stripFormFields(controller.request);
  const early = await runSteps(controller, prepare, beforeActions);
  if (early) return early;
  controller.isEntered = true;
  const method =
    typeof action === "string" ? (controller[action as keyof BaseController] as Method | undefined) : undefined;
  const given = typeof action === "string" ? await method?.call(controller) : await action(controller);
  if (controller.reply) return controller.reply;
  if (given instanceof Reply) return given;
  return renderByName(controller, controller.request);
}

/** Prepares a controller and runs its before-actions; what one of them replied, if any did. */
export async function runSteps(
  controller: BaseController,
  prepare: Engine["prepare"],
  beforeActions: readonly string[],
): Promise<Reply | undefined> {
  for (const step of prepare) {
    const waits = step(controller);
    if (waits) await waits;
    if (controller.reply) return controller.reply;
  }
  for (const before of beforeActions) {
    await (controller[before as keyof BaseController] as Method).call(controller);
    if (controller.reply) return controller.reply;
  }
  return undefined;
}

/** Module-level: a class is warned of once a process. */
const warnedControllers = new WeakSet<Function>();

/** What a guest who is not admitted gets; the log says once for each controller why. @throws HttpError 401 */
function refuseGuest(controller: BaseController): Reply {
  const own = controller.constructor as typeof BaseController;
  const { request } = controller;
  const isByRoute = request.route?.metadata.guests === "refuse";
  if ((own.authentication === undefined || isByRoute) && !warnedControllers.has(own)) {
    warnedControllers.add(own);
    const why = isByRoute ? errors.FW_GUESTS_WRITE(own.name, request.method) : errors.FW_GUESTS_REFUSED(own.name);
    request.application.log.warn(why.message);
  }
  return request.application.authModes.refusal(request, own.authentication);
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
