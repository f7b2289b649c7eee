import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { admitsGuests } from "../controllers/authentication.ts";
import type { BaseController, BeforeAction, ControllerClass } from "../controllers/controller.ts";
import { errors } from "../errors.ts";
import { checkCsrf, stripFormFields } from "../http/csrf.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import { type Action, describeAction, type Route } from "./route.ts";
import type { Mount } from "./route_set.ts";

/** What somebody passes on the way to the action of a route, resolved at boot. */
export interface Admission {
  /** The name of the action. */
  readonly name: string;
  /** What the portal prepares: the tenant, and what plugins add. */
  readonly prepare: Engine["prepare"];
  readonly beforeActions: readonly string[];
  /** Whether somebody without an account may pass. */
  readonly guests: boolean;
  /** Whether an unsafe request needs a token; work in the background was started by one that had it. */
  readonly csrf: boolean;
}

/** What the route, its controller and plugins say: read once the controller is recorded. @throws FW_BEFORE_ACTION */
export function admissionOf(
  application: ApplicationContext,
  route: Route,
  engine: Engine | undefined,
  controller: ControllerClass,
): Admission {
  return {
    name: describeAction(route.action),
    prepare: (engine ?? application).prepare,
    beforeActions: beforeActionsFor(controller, route.action),
    guests: route.metadata.guests !== "refuse" && admitsGuests(application.authModes, controller),
    csrf: route.metadata.csrf !== "none",
  };
}

/**
 * Lets somebody in, up to the action: account, guests, token, tenant and what else is prepared, before-actions. Requests and
 * work in the background enter by it alone. Returns what one of these replied, which ends it.
 * @throws HttpError 401 for a guest who is not admitted, 403 without a token, and what a step throws
 */
export async function admit(controller: BaseController, admission: Admission): Promise<Reply | undefined> {
  const { request } = controller;
  request.controller = controller;
  controller.actionName = admission.name;
  controller.currentUser = (await controller.findCurrentUser()) ?? undefined;
  if (controller.reply) return controller.reply; // for example a redirect to the login; the form that was sent is not acted upon
  if (controller.currentUser === undefined && !admission.guests) return refuseGuest(controller);
  const refusal = admission.csrf && csrfRefusal(request);
  stripFormFields(request);
  for (const step of admission.prepare) {
    const waits = step(controller);
    if (waits) await waits;
    if (controller.reply) return controller.reply;
  }
  if (refusal) {
    controller.isEntered = true; // its page is drawn within the portal
    throw refusal;
  }
  for (const before of admission.beforeActions) {
    const waits = (controller[before as keyof BaseController] as () => unknown).call(controller);
    if (waits) await waits;
    if (controller.reply) return controller.reply;
  }
  controller.isEntered = true;
  return undefined;
}

/** What `checkCsrf` throws; false where it throws nothing. */
function csrfRefusal(request: RequestContext): Error | false {
  try {
    checkCsrf(request);
    return false;
  } catch (error) {
    return error as Error;
  }
}

/** Whether a mount or a route is open to a request: true, or what the request gets in its place. */
export function passConstraint(
  { constraint }: Pick<Mount | Route, "constraint">,
  request: RequestContext,
): Promise<true | Reply> | true | Reply {
  if (!constraint) return true;
  const opening = request.openSession();
  return opening ? opening.then(() => constraint(request)) : constraint(request);
}

/** The prototypes of a class of controllers, the most specific first. */
export function* prototypes(controller: ControllerClass): Generator<BaseController> {
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
function beforeActionsFor(controller: ControllerClass, action: Action): string[] {
  const name = describeAction(action);
  const names = declaredBeforeActions(controller)
    .filter(({ only, except }) => (!only || only.includes(name)) && !except?.includes(name))
    .map(({ run: method }) => method);
  for (const method of names) {
    if (typeof controller.prototype[method] !== "function") throw errors.FW_BEFORE_ACTION(controller.name, method);
  }
  return names;
}

/** Module-level: a class is warned of once a process. */
const warnedControllers = new WeakSet<Function>();

/** What a guest who is not admitted gets; the reason is logged once for each controller. @throws HttpError 401 */
function refuseGuest(controller: BaseController): Reply {
  const own = controller.constructor as typeof BaseController;
  const { request } = controller;
  const isByRoute = request.route?.metadata.guests === "refuse";
  if (!request.isBackground && (own.authentication === undefined || isByRoute) && !warnedControllers.has(own)) {
    warnedControllers.add(own);
    const why = isByRoute ? errors.FW_GUESTS_WRITE(own.name, request.method) : errors.FW_GUESTS_REFUSED(own.name);
    request.application.log.warn(why.message);
  }
  return request.application.authModes.refusal(request, own.authentication);
}
