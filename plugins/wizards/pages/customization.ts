import { type BaseController, html, htmlReply, type Reply, raw } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";

/** Methods that a controller may override to customize wizards; a resource's controller may have them as well. */
export interface WizardCustomization {
  /** The default destination of cancel and completion: the portal's root, or `/`. */
  wizardHome(): string;
  /** The record of a wizard that is anchored via this method or property; undefined is a 404. */
  wizardAnchor(method: string): Promise<BaseModel | undefined>;
  /** Additional locals for the pages of wizards. */
  wizardLocals(): Record<string, unknown>;
  /** The response at the end of a run: 303 to a path of this application. */
  wizardEnded(location: string): Reply;
}

/** The defaults, for a controller without these methods. */
export const standardCustomization = {
  wizardHome: ({ request }: BaseController): string => request.mountPath || request.settings.basePath || "/",
  async wizardAnchor(controller: BaseController, method: string): Promise<BaseModel | undefined> {
    const given = (controller as unknown as Record<string, unknown>)[method];
    const found: unknown = await (typeof given === "function" ? given.call(controller) : given);
    return found instanceof BaseModel ? found : undefined;
  },
  wizardLocals: (_: BaseController): Record<string, unknown> => ({}),
  wizardEnded: (controller: BaseController, location: string): Reply => controller.redirectTo(location),
};

/** The controller's methods, with the defaults for those that it doesn't have. */
export function customizationOf(controller: BaseController): WizardCustomization {
  const own = controller as BaseController & Partial<WizardCustomization>;
  return {
    wizardHome: () => own.wizardHome?.() ?? standardCustomization.wizardHome(own),
    wizardAnchor: (method) => own.wizardAnchor?.(method) ?? standardCustomization.wizardAnchor(own, method),
    wizardLocals: () => own.wizardLocals?.() ?? standardCustomization.wizardLocals(own),
    wizardEnded: (location) => own.wizardEnded?.(location) ?? standardCustomization.wizardEnded(own, location),
  };
}

/** A page that makes Turbo leave its frame and load the same URL as a whole page. */
export function leavingPage(frame: string, location: string): Reply {
  const head = html`<meta charset="utf-8"><meta name="turbo-visit-control" content="reload"><title>…</title>`;
  const link = html`<a href="${location}" data-turbo-frame="_top">${location}</a>`;
  const body = html`<turbo-frame id="${frame}">${link}</turbo-frame>`;
  return htmlReply(`<!doctype html><html><head>${raw(head.html)}</head><body>${body.html}</body></html>`);
}
