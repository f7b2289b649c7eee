import { csrfInput, humanize, type PageLocals, type SafeHtml } from "framewright/host";
import { type ActionView, actionBar } from "framewright/plugins/fields";
import { type ActionContext, type Placement, type ResourceAction, standsAt } from "../definition/actions.ts";
import { allows, type Policy } from "../definition/policy.ts";
import type { Entry } from "../entry/entry.ts";
import { labelOf } from "../entry/labels.ts";
import { hasDuplicates, type Registration } from "../registration/registration.ts";
import { inSentence, labelsFor, listLabel, ownText } from "../registration/resource_texts.ts";
import { servedBy } from "../registration/served_by.ts";
import { actionPath } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { isHidden } from "./hidden_actions.ts";

/** Everything around a page of a resource. */
export interface Chrome extends PageLocals {
  title: string;
  subtitle?: string;
  breadcrumbs: { label: string; url?: string }[];
  action_bar: unknown;
}

/** The actions of a place, in their order; found once for each resource. */
export function actionsAt(registration: Registration, placement: Placement): readonly ResourceAction[] {
  return registration.once(`actions at ${placement}`, () => {
    const actions = [...registration.definition.actions.values()].filter((action) => standsAt(action, placement));
    return actions.sort((a, b) => (a.position ?? 50) - (b.position ?? 50));
  });
}

/** The actions that the person may take here, ready to be drawn. `base` is the address of the record or of the list. */
export function actionViews(
  controller: ResourceRequest,
  placement: Placement,
  base: string,
  policy: Policy,
  entry?: Entry,
): ActionView[] {
  const views: ActionView[] = [];
  for (const action of actionsAt(controller.registration, placement)) {
    if (!allows(policy, action.policy ?? action.key) || !applies(controller, action, entry)) continue;
    views.push(actionView(controller, action, base));
  }
  return views;
}

/** Whether an action applies here, by its condition and the plugins. */
export function applies(controller: ResourceRequest, action: ResourceAction, entry: Entry | undefined): boolean {
  const { key, condition, isDuplicate } = action;
  if (isDuplicate && !hasDuplicates(controller.about)) return false;
  return (!condition || condition(new LazyActionContext(controller, entry))) && !isHidden(controller, key, entry);
}

/** What an action's condition, defaults and choices are given, once its record was found. */
export const contextOf = ({ record, currentUser, currentScopedEntity }: ResourceRequest): ActionContext => ({
  record,
  currentUser,
  currentScopedEntity,
});

/** What a condition is given. A class with the getter on its prototype: V8 keeps literals with accessors alive until a major collection. */
class LazyActionContext implements ActionContext {
  readonly currentUser: ActionContext["currentUser"];
  readonly currentScopedEntity: ActionContext["currentScopedEntity"];
  readonly #entry: Entry | undefined;

  constructor({ currentUser, currentScopedEntity }: ResourceRequest, entry: Entry | undefined) {
    this.currentUser = currentUser;
    this.currentScopedEntity = currentScopedEntity;
    this.#entry = entry;
  }
  get record() {
    return this.#entry?.record;
  }
}

/** What an action is called: by the catalogue for its resource, by its definition, by the catalogue for its key, else by the key. */
export function actionLabel(controller: ResourceRequest, action: ResourceAction): string {
  const { key, label } = action;
  const { registration } = controller;
  return registration.onceWithTexts(controller, `label of ${key}`, () =>
    ownText(controller, registration, `actions.${key}`, label ?? labelFromTexts(controller, key)),
  );
}

function labelFromTexts(controller: ResourceRequest, key: string): string {
  const { one } = labelsFor(controller, controller.registration);
  if (key === "new") return controller.t("resource.new_title", { name: inSentence(controller, one) });
  const text = `resource.actions.${key}`;
  return controller.request.tOr(text, "") === "" ? humanize(key) : controller.t(text);
}

function actionView(controller: ResourceRequest, action: ResourceAction, base: string): ActionView {
  return viewOf(action, base, actionLabel(controller, action), (url, method) =>
    csrfInput(controller.request, url, method),
  );
}

/** An action as it is drawn below an address; `csrf` gives the token where it needs one. */
export function viewOf(
  action: ResourceAction,
  base: string,
  label: string,
  csrf: (url: string, method: string) => SafeHtml,
): ActionView {
  const { key, icon, open, turboFrame, confirmation, prefetch } = action;
  const url = action.url ?? actionPath(base, action.path, key);
  const form = action.interaction && Object.keys(action.interaction.attributes).length > 0;
  const method = form ? "get" : action.interaction ? "post" : (action.method ?? "get");
  const view: ActionView = { key, label, url, method, category: action.category ?? "secondary" };
  if (icon !== undefined) view.icon = icon;
  if (open !== undefined) view.open = open;
  if (turboFrame !== undefined) view.turboFrame = turboFrame;
  if (prefetch !== undefined) view.prefetch = prefetch;
  if (action.newTab) view.newTab = true;
  if (action.interaction?.download) view.download = true;
  const asked = action.interaction ? confirmation !== false : confirmation !== undefined && confirmation !== false;
  if (asked && !form) view.confirmUrl = `${base}/actions/${key}`;
  else if (method !== "get") view.csrf = csrf(url, method);
  return view;
}

interface ChromeParts {
  title: string;
  trail?: Chrome["breadcrumbs"];
  actions?: ActionView[];
  /** Shown before the actions. */
  menu?: SafeHtml | undefined;
}

/**
 * The title, the breadcrumbs and the actions of a page. Fast path: pages add theirs by `Object.assign`. What a literal adds to
 * a spread takes new hidden classes each time, which V8 makes slowly and keeps until a major collection.
 */
export function chrome(controller: ResourceRequest, { title, trail = [], actions = [], menu }: ChromeParts): Chrome {
  return { title, breadcrumbs: [...ancestors(controller), ...trail], action_bar: actionBar(actions, menu) };
}

function ancestors(controller: ResourceRequest): Chrome["breadcrumbs"] {
  const { registration, parent } = controller.about;
  const crumbs: Chrome["breadcrumbs"] = [];
  if (parent && controller.parent) {
    const { many } = labelsFor(controller, parent.registration);
    if (!parent.registration.singular)
      crumbs.push({ label: many, url: controller.resourceUrlFor(parent.registration.model.class) });
    const url = controller.resourceUrlFor(controller.parent, servedBy(parent, controller.parent));
    crumbs.push({ label: labelOf(controller, controller.parent), url });
  }
  const isSingular = registration.singular && !parent;
  const label = isSingular ? labelsFor(controller, registration).one : listLabel(controller, controller.about);
  crumbs.push({ label, url: controller.listUrl });
  return crumbs;
}
