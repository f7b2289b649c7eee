import type { BeforeAction, Route } from "framewright/host";
import type { AssociationInfo, BaseModel } from "framewright/plugins/database";
import type { Registration, ResourceRequest, ResourceRoute } from "framewright/plugins/resources";
import { isDenial } from "framewright/plugins/resources/toolkit";

type ControllerClass = (new (
  request: ResourceRequest["request"],
) => ResourceRequest) & {
  beforeActions: readonly (string | BeforeAction)[];
};

/** Where the records of an association have an address in the portal: below their owner, or of their own. */
export interface IncludePlace {
  readonly association: AssociationInfo;
  readonly about: ResourceRoute;
  readonly controller: ControllerClass;
}

/** Undefined for an association that leads to no resource of the portal, or has no address there. */
export function placeOf(source: ResourceRequest, name: string): IncludePlace | undefined {
  const { registration } = source;
  const association = registration.model.associations.get(name);
  const route = association && registration.once(`include ${name}`, () => routeOf(source, association));
  if (!route) return undefined;
  const about = source.resources.registry.routes.get(route)!;
  const controller = source.request.application.controllerOf(route) as unknown as ControllerClass;
  return isOpenFrom(source, controller, String(route.action)) ? { association, about, controller } : undefined;
}

/** The route by which the person would read what is included: the nested list or record, or the page of what a record belongs to. */
function routeOf({ registration, resources }: ResourceRequest, association: AssociationInfo): Route | undefined {
  const { registry } = resources;
  const { owner } = registration;
  const target: Registration | undefined = registry.nearest(owner, association.target);
  const action = association.kind === "hasMany" ? "index" : "show";
  return registry.application.routeSets.get(owner)?.routes.find((route) => {
    const about = registry.routes.get(route);
    if (!about || about.custom || about.answer || route.action !== action) return false;
    const { parent } = about;
    if (association.kind !== "belongsTo")
      return parent?.registration === registration && parent.association === association;
    return !parent && about.registration === target && !target.singular;
  });
}

/** Whether nothing has to run before the action there that has not run here: what an application checks, it checks. */
function isOpenFrom(source: ResourceRequest, controller: ControllerClass, action: string): boolean {
  const passed = new Set(beforeActionsOf(source.constructor as ControllerClass, source.actionName));
  return beforeActionsOf(controller, action).every((name) => passed.has(name));
}

function beforeActionsOf(controller: ControllerClass, action: string): string[] {
  const found: string[] = [];
  for (
    let at: unknown = controller;
    typeof at === "function" && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const own = Object.hasOwn(at, "beforeActions") ? (at as ControllerClass).beforeActions : [];
    for (const one of own) {
      const { run, only, except } = typeof one === "string" ? { run: one } : (one as BeforeAction);
      if ((!only || only.includes(action)) && !except?.includes(action)) found.push(run);
    }
  }
  return found;
}

/** A controller as a request of the person to that place would have it. */
export function controllerAt(source: ResourceRequest, place: IncludePlace, parent?: BaseModel): ResourceRequest {
  const { currentUser, currentScopedEntity } = source;
  const controller = new place.controller(source.request);
  Object.defineProperty(controller, "about", { value: place.about });
  const { actionName } = source;
  return Object.assign(controller, { parent, currentUser, currentScopedEntity, actionName });
}

/** One of the resource as a whole, which reads the records of all owners. */
export const readerAt = (source: ResourceRequest, place: IncludePlace): ResourceRequest =>
  controllerAt(source, { ...place, about: { registration: place.about.registration } });

/** Whether an action is allowed. @throws the error that it can't be decided now */
export async function isAuthorized(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isDenial(error)) return false;
    throw error;
  }
}
