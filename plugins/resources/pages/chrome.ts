import { csrfInput, humanize } from "framewright";
import type { BaseModel } from "framewright/plugins/database";
import { type Placement, type ResourceAction, standsAt } from "../actions.ts";
import { type ActionView, actionBar } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { labelsOf } from "../labels.ts";
import { allows, type Policy } from "../policy.ts";
import type { Registration } from "../registration.ts";
import { isHidden } from "../showing.ts";
import { actionPath } from "../urls.ts";

/** Everything that stands around a page of a resource. */
export interface Chrome {
  title: string;
  subtitle?: string;
  breadcrumbs: { label: string; url?: string }[];
  action_bar: unknown;
}

const placed = new WeakMap<Registration, Map<Placement, readonly ResourceAction[]>>();

/** The actions that stand at a place, in their order; worked out once for each resource. */
export function actionsAt(registration: Registration, placement: Placement): readonly ResourceAction[] {
  let places = placed.get(registration);
  if (!places) {
    places = new Map();
    placed.set(registration, places);
  }
  let actions = places.get(placement);
  if (!actions) {
    const all = [...registration.definition.actions.values()].filter((action) => standsAt(action, placement));
    actions = all.sort((a, b) => (a.position ?? 50) - (b.position ?? 50));
    places.set(placement, actions);
  }
  return actions;
}

/** The actions that the person may take here, ready to be drawn. `base` is the address of the record or of the list. */
export function actionViews(
  controller: ResourceController,
  placement: Placement,
  base: string,
  policy: Policy,
  record?: BaseModel,
): ActionView[] {
  const views: ActionView[] = [];
  const { registration } = controller;
  for (const action of actionsAt(registration, placement)) {
    if (!allows(policy, action.policy ?? action.key)) continue;
    const { condition } = action;
    const { currentUser, currentScopedEntity } = controller;
    if (condition && !condition({ record, currentUser, currentScopedEntity })) continue;
    if (isHidden(controller, action.key, record)) continue;
    views.push(actionView(controller, action, base));
  }
  return views;
}

/** What an action is called: by its definition, else by the catalogue, else by its key. */
export function actionLabel({ request, registration }: ResourceController, { key, label }: ResourceAction): string {
  if (label !== undefined) return label;
  if (key === "new") return request.t("resource.new_title", { name: labelsOf(registration).one.toLowerCase() });
  return request.tOr(`resource.actions.${key}`, humanize(key));
}

function actionView(controller: ResourceController, action: ResourceAction, base: string): ActionView {
  const { key, icon, turboFrame, confirmation, prefetch } = action;
  const url = actionPath(base, action.path, key);
  const form = action.interaction && Object.keys(action.interaction.attributes).length > 0;
  const method = form ? "get" : action.interaction ? "post" : (action.method ?? "get");
  const view: ActionView = {
    key,
    label: actionLabel(controller, action),
    url,
    method,
    category: action.category ?? "secondary",
  };
  if (icon !== undefined) view.icon = icon;
  if (turboFrame !== undefined) view.turboFrame = turboFrame;
  if (prefetch !== undefined) view.prefetch = prefetch;
  const asked = action.interaction ? confirmation !== false : confirmation !== undefined && confirmation !== false;
  if (asked && !form) view.confirmUrl = `${base}/actions/${key}`;
  else if (method !== "get") view.csrf = csrfInput(controller.request, url, method);
  return view;
}

/** The title, the way back and the actions of a page. */
export function chrome(
  controller: ResourceController,
  { title, trail = [], actions = [] }: { title: string; trail?: Chrome["breadcrumbs"]; actions?: ActionView[] },
): Chrome {
  return { title, breadcrumbs: [...ancestors(controller), ...trail], action_bar: actionBar(actions) };
}

function ancestors(controller: ResourceController): Chrome["breadcrumbs"] {
  const { registration, parent } = controller.about;
  const crumbs: Chrome["breadcrumbs"] = [];
  if (parent && controller.parent) {
    const { many } = labelsOf(parent.registration);
    if (!parent.registration.singular)
      crumbs.push({ label: many, url: controller.resourceUrlFor(parent.registration.model.class) });
    crumbs.push({ label: controller.parent.toLabel(), url: controller.resourceUrlFor(controller.parent) });
  }
  const { one, many } = labelsOf(registration);
  const single = registration.singular || parent?.association.kind === "hasOne";
  crumbs.push({ label: single ? one : many, url: controller.listUrl });
  return crumbs;
}
