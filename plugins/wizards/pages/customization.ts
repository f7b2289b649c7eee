import { type BaseController, html, htmlReply, type Reply, raw } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";

/** The steps of serving a wizard that a controller may do otherwise; a resource's controller may have them as well. */
export interface WizardFace {
  /** Where cancel and the end lead when nothing else says: the portal's root, or `/`. */
  wizardHome(): string;
  /** The record of a wizard that is anchored via this method or property; nothing is a 404. */
  wizardAnchor(method: string): Promise<BaseModel | undefined>;
  /** What the pages of wizards are rendered with, besides what is theirs. */
  wizardLocals(): Record<string, unknown>;
  /** The answer at a run's end: 303 to a path of this application. */
  wizardEnded(location: string): Reply;
}

/** What a controller does that says nothing else. */
export const standardFace = {
  wizardHome: ({ request }: BaseController): string => request.mountPath || "/",
  async wizardAnchor(controller: BaseController, method: string): Promise<BaseModel | undefined> {
    const given = (controller as unknown as Record<string, unknown>)[method];
    const found: unknown = await (typeof given === "function" ? given.call(controller) : given);
    return found instanceof BaseModel ? found : undefined;
  },
  wizardLocals: (_: BaseController): Record<string, unknown> => ({}),
  wizardEnded: (controller: BaseController, location: string): Reply => controller.redirectTo(location),
};

/** A controller's own way of each step, or the standard one. */
export function faceOf(controller: BaseController): WizardFace {
  const own = controller as BaseController & Partial<WizardFace>;
  return {
    wizardHome: () => own.wizardHome?.() ?? standardFace.wizardHome(own),
    wizardAnchor: (method) => own.wizardAnchor?.(method) ?? standardFace.wizardAnchor(own, method),
    wizardLocals: () => own.wizardLocals?.() ?? standardFace.wizardLocals(own),
    wizardEnded: (location) => own.wizardEnded?.(location) ?? standardFace.wizardEnded(own, location),
  };
}

/** A page that makes Turbo leave the frame it was asked for, and open the same address as a whole page. */
export function leavingPage(frame: string, location: string): Reply {
  const head = html`<meta charset="utf-8"><meta name="turbo-visit-control" content="reload"><title>…</title>`;
  const link = html`<a href="${location}" data-turbo-frame="_top">${location}</a>`;
  const body = html`<turbo-frame id="${frame}">${link}</turbo-frame>`;
  return htmlReply(`<!doctype html><html><head>${raw(head.html)}</head><body>${body.html}</body></html>`);
}
