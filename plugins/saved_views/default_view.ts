import { csrfInput, html, humanize, notFound, type Reply, raw, type SafeHtml } from "framewright/host";
import { rowOwner } from "framewright/plugins/portals";
import { allows, type ResourceController, type ValueLabels, valueLabels } from "framewright/plugins/resources";
import { type ListUrls, listAt, refuseUnknownKeys } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { savedViewsOf } from "./answers.ts";
import type { DefaultViews, SavedView } from "./store.ts";

/** What is known of a list's views to the person of a request. */
export interface KnownViews {
  readonly views: readonly SavedView[];
  readonly defaults: DefaultViews;
}
const none: DefaultViews = { own: undefined, byRole: new Map() };
/** Module-level: found by a controller, and freed with it. */
const known = new WeakMap<ResourceController, Promise<KnownViews>>();

/**
 * The person's views of a list, those that others share as far as the person's own list has all that they request, and which
 * of them it is opened with; read once a request. Undefined where views are not stored.
 */
export function knownViews(controller: ResourceController): Promise<KnownViews> | undefined {
  const store = savedViewsOf(controller);
  if (!store) return undefined;
  const read = async (): Promise<KnownViews> => {
    const owner = rowOwner(controller, controller.registration.constant);
    const found = await store.find(owner);
    const { listUrl } = controller;
    const views = found.filter(({ isOwn, query }) => isOwn || listAt(controller, listUrl + query) !== undefined);
    const isAsked = views.length > 0 && (await store.keepsDefaults());
    return { views, defaults: isAsked ? await store.defaults(owner) : none };
  };
  const reading = known.get(controller) ?? read();
  known.set(controller, reading);
  return reading;
}

/** The person's own default, else that of their role, which is a shared view; undefined where the list is opened as it is. */
export function defaultOf(controller: ResourceController, { views, defaults }: KnownViews): SavedView | undefined {
  const own = views.find(({ id }) => id === defaults.own);
  if (own) return own;
  const { role } = rolesOf(controller);
  const byRole = role === undefined ? undefined : defaults.byRole.get(role);
  return views.find(({ id, shared }) => id === byRole && shared);
}

/** A list whose address requests nothing is opened with the default view; undefined where there is none. */
export async function answerDefault(controller: ResourceController): Promise<Reply | undefined> {
  const { request } = controller;
  if (request.search !== "" || request.format === "json" || request.frame !== undefined) return undefined;
  const views = await knownViews(controller);
  const view = views && defaultOf(controller, views);
  return view && controller.redirectTo(controller.listUrl + view.query);
}

/** The person's role in the tenant, and all there are, the most privileged first; none where the portal has no members. */
function rolesOf(controller: ResourceController): { role: string | undefined; roles: readonly string[] } {
  const { currentMembership: membership } = controller as Member;
  const { enums } = (membership?.constructor ?? {}) as { enums?: { role?: readonly string[] } };
  return { role: typeof membership?.role === "string" ? membership.role : undefined, roles: enums?.role ?? [] };
}
interface Member {
  readonly currentMembership?: { role?: unknown };
}

/** What the catalogue calls the roles of the portal's members. */
function roleLabels(controller: ResourceController): ValueLabels | undefined {
  const model = (controller as Member).currentMembership?.constructor;
  const members = controller.resources.registry.all().find((one) => one.model.class === model);
  return members && valueLabels(controller, members, "role");
}

const mayShare = (controller: ResourceController): boolean => allows(controller.policyFor(), "shareViews");

/** `POST <list>/views/:view_id/default` with `me` and `roles[]`: whose default the view is from now on. @throws HttpError 404 */
export async function setDefaultView(controller: ResourceController): Promise<Reply> {
  const { request } = controller;
  const store = savedViewsOf(controller);
  const given = await knownViews(controller);
  const view = given?.views.find(({ id }) => String(id) === request.routeParams.view_id);
  if (!store || !given || !view || !(await store.keepsDefaults())) throw notFound();
  refuseUnknownKeys(controller, ["me", "roles"]);
  const owner = rowOwner(controller, controller.registration.constant);
  const { defaults } = given;
  const isMine = isOn(request.body.get("me"));
  if (isMine || defaults.own === view.id) await store.setDefault({ owner }, isMine ? view.id : undefined);
  const asked = request.body.get("roles");
  const chosen: readonly unknown[] = Array.isArray(asked) ? asked : [];
  for (const role of rolesToSet(controller, view)) {
    const isChosen = chosen.includes(role);
    if (isChosen || defaults.byRole.get(role) === view.id)
      await store.setDefault({ role, place: owner }, isChosen ? view.id : undefined);
  }
  if (request.format === "json") return controller.json({ data: null });
  controller.flash.add("success", controller.t("resource.views.defaults_saved"));
  return controller.redirectTo(controller.listUrl + view.query);
}

const isOn = (value: unknown): boolean => value === "1" || value === true;

/** The roles whose default the person may make a view: of a shared one, where they may share. */
const rolesToSet = (controller: ResourceController, { shared }: SavedView): readonly string[] =>
  shared && mayShare(controller) ? rolesOf(controller).roles : [];

/** The form that sets whose default the view is that is looked at. */
export function defaultForm(
  controller: ResourceController,
  urls: ListUrls,
  view: SavedView,
  { own, byRole }: DefaultViews,
): SafeHtml {
  const t = (key: string) => controller.t(`resource.views.${key}`);
  const path = `${urls.base}/views/${view.id}/default`;
  const box = (name: string, value: string, label: string, isChecked: boolean) =>
    html`<label class="form-check"><input type="checkbox" class="form-check-input" name="${name}" value="${value}"${isChecked ? raw(" checked") : ""}><span class="form-check-label">${label}</span></label>`;
  const labels = roleLabels(controller);
  const roles = rolesToSet(controller, view).map((role) =>
    box("roles[]", role, labels?.[role] ?? humanize(role), byRole.get(role) === view.id),
  );
  const others =
    roles.length > 0 && html`<fieldset><legend class="form-label">${t("default_roles")}</legend>${roles}</fieldset>`;
  const form = html`<form method="post" action="${path}">${csrfInput(controller.request, path)}${box("me", "1", t("default_me"), own === view.id)}${others}<button class="btn btn-primary">${t("save")}</button></form>`;
  return html`<details class="fw-dropdown fw-save-view"><summary class="btn">${iconOrNothing("home")}${t("default")}</summary><div class="fw-dropdown-panel">${form}</div></details>`;
}
