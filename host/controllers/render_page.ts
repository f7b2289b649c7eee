import type { SyncHook } from "tapable";
import { faceOf } from "../app/ports.ts";
import { errors } from "../errors.ts";
import { csrfField, formToken, headerToken } from "../http/csrf.ts";
import type { RequestContext } from "../http/request.ts";
import { html, raw, type SafeHtml } from "../support/html.ts";
import type { BaseController } from "./controller.ts";

/** What a page is rendered with; plugins add to it in the hook `host.page`. */
export type PageLocals = Record<string, unknown>;
export interface PageHooks {
  /** A page is about to be rendered: add what layouts and views may use. */
  page: SyncHook<[locals: PageLocals, controller: BaseController]>;
}

/** The hidden field that a form needs: its token holds for this verb and path alone. */
export function csrfInput(request: RequestContext, path: string, method = "post"): SafeHtml {
  const query = path.indexOf("?");
  const token = formToken(request.session, method, query < 0 ? path : path.slice(0, query));
  return raw(`<input type="hidden" name="${csrfField}" value="${token}">`); // base64url: nothing in it to escape
}

/** Renders a view of a controller inside its layout. @throws FW_SLOT_EMPTY without the `views` slot, FW_NO_ANSWER without the view */
export function renderPage(controller: BaseController, view: string, given: PageLocals, layout?: string): string {
  const { request } = controller;
  const views = faceOf(request.kernel, "views");
  if (!views) throw errors.FW_NO_ANSWER(controller.constructor.name, controller.actionName);
  const portal = request.engine?.path;
  const names = viewNames(controller, view);
  const locals: PageLocals = Object.assign(standardLocals(controller), controller.pageLocals(), given);
  request.application.hooks.page.call(locals, controller);
  const chosen = layoutOf(controller, layout);
  const page = views.render({ portal, names, layout: chosen === "none" ? undefined : chosen, locals });
  return request.frame === undefined ? page : html`<turbo-frame id="${request.frame}">${raw(page)}</turbo-frame>`.html;
}

/** A Turbo frame gets no layout, whatever anyone asks for; else the nearest to the page decides. */
function layoutOf({ request, layout }: BaseController, asked: string | undefined): string | undefined {
  if (request.frame !== undefined) return undefined;
  return asked ?? layout ?? request.route?.facts.layout ?? request.kernel.hooks.layout.call(request);
}

const namesOf = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The names under which a view is looked for; worked out once for each class of controllers and view. */
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
      id: request.id, // no getter: an object with one of its own, and all that it sees, stays until the old are collected
      frame: request.frame,
      full_path: `${request.mountPath}${request.path}`,
    },
    current_user: controller.currentUser,
    current_scoped_entity: controller.currentScopedEntity,
    helpers: controller.helpers,
    action: controller.actionName,
    flash: request.flash.take(),
    csrf_token: headerToken(request.session),
  };
}
