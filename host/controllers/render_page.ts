import type { InPortal, SyncHook } from "framewright/kernel";
import { optionalService } from "../app/ports.ts";
import { errors } from "../errors.ts";
import { csrfField, formToken, headerToken } from "../http/csrf.ts";
import type { FlashMessage } from "../http/flash.ts";
import type { RequestContext } from "../http/request.ts";
import { html, raw, type SafeHtml } from "../support/html.ts";
import type { BaseController } from "./controller.ts";

/** The template variables of a page; plugins add some in the hook `host.page`. */
export type PageLocals = Record<string, unknown>;
export interface PageHooks {
  /** A page is about to be rendered: add what layouts and views may use. */
  page: SyncHook<[locals: PageLocals, controller: BaseController], void, InPortal>;
}

/** The hidden field that a form needs: its token is valid for this verb and path only. */
export function csrfInput(request: RequestContext, path: string, method = "post"): SafeHtml {
  const query = path.indexOf("?");
  const token = formToken(request.session, method, query < 0 ? path : path.slice(0, query));
  return raw(`<input type="hidden" name="${csrfField}" value="${token}">`); // base64url: nothing in it to escape
}

/** A message as layouts show it; the form of its button returns to this page. */
function messageView(request: RequestContext, message: FlashMessage): FlashMessage | object {
  const { action } = message;
  if (!action) return message;
  const returnTo = request.method === "GET" ? request.raw.url : undefined;
  return { ...message, action: { ...action, csrf: csrfInput(request, action.url), return_to: returnTo } };
}

/** Renders a view of a controller inside its layout. @throws FW_SLOT_EMPTY without the `views` slot, FW_NO_ANSWER without the view */
export function renderPage(controller: BaseController, view: string, given: PageLocals, layout?: string): string {
  const { request } = controller;
  const views = optionalService(request.kernel, "views");
  if (!views) throw errors.FW_NO_ANSWER(controller.constructor.name, controller.actionName);
  const portal = request.engine?.path;
  const names = viewNames(controller, view);
  const locals = localsOf(controller, {
    flash: request.flash.take().map((one) => messageView(request, one)),
    ...given,
  });
  const page = views.render({ portal, names, layout: layoutOf(controller, layout), locals });
  return request.frame === undefined ? page : html`<turbo-frame id="${request.frame}">${raw(page)}</turbo-frame>`.html;
}

/**
 * Renders the page of an error as the controller's other pages stand, with navigation and account; messages wait for the
 * next page. Undefined where the request was not let in, and where a Turbo frame or the layout has no place for it.
 */
export function renderErrorPage(
  controller: BaseController,
  names: readonly string[],
  given: PageLocals,
): string | undefined {
  const { request } = controller;
  if (!controller.isEntered || request.frame !== undefined) return undefined;
  const layout = layoutOf(controller, undefined);
  if (layout === undefined) return undefined;
  const locals = localsOf(controller, { action: controller.backLink(), ...given });
  const views = optionalService(request.kernel, "views");
  return views?.render({ portal: request.engine?.path, names, layout, locals });
}

function localsOf(controller: BaseController, given: PageLocals): PageLocals {
  const locals: PageLocals = Object.assign(standardLocals(controller), controller.pageLocals(), given);
  controller.request.application.hooks.page.call(locals, controller);
  locals.csrf_token ??= scriptToken(controller);
  return locals;
}

/** The layout of a page: none in a Turbo frame, else of the call, the controller, the route, the plugins, in this order. */
function layoutOf({ request, layout }: BaseController, wanted: string | undefined): string | undefined {
  if (request.frame !== undefined) return undefined;
  const chosen = wanted ?? layout ?? request.route?.metadata.layout ?? request.kernel.hooks.layout.call(request);
  return chosen === "none" ? undefined : chosen;
}

/** The token for scripts; none for a guest whom nothing is kept of, since it would have to be kept itself. */
function scriptToken({ currentUser, request }: BaseController): string | undefined {
  const { session, carriesSession } = request;
  return carriesSession || session.changed || currentUser !== undefined ? headerToken(session) : undefined;
}

/** Module-level: found by the candidates of a controller, and freed with them; names depend on nothing else. */
const namesOf = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The names under which a view is searched; cached by controller class and view. */
export function viewNames(controller: BaseController, view: string): readonly string[] {
  if (view.includes("/")) return [view];
  const prefixes = controller.request.application.viewPrefixes(controller.constructor);
  const known = namesOf.get(prefixes) ?? new Map<string, readonly string[]>();
  namesOf.set(prefixes, known);
  const names = known.get(view) ?? prefixes.map((prefix) => `${prefix}/${view}`);
  known.set(view, names);
  return names;
}

function standardLocals(controller: BaseController): PageLocals {
  const { request } = controller;
  return {
    request: {
      path: request.path,
      id: request.id, // a value, not a getter: V8 keeps literals with accessors alive until a major collection
      frame: request.frame,
      full_path: `${request.mountPath}${request.path}`,
      time_zone: request.timeZone,
      locale: request.locale,
    },
    base_path: request.settings.basePath,
    current_user: controller.currentUser,
    current_scoped_entity: controller.currentScopedEntity,
    helpers: controller.helpers,
    action: controller.actionName,
    csrf_token: undefined,
  };
}
