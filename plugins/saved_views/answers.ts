import { notFound, type Reply, unprocessable } from "framewright/host";
import { accountId, rowOwner } from "framewright/plugins/portals";
import { allows, type ResourceController } from "framewright/plugins/resources";
import { ListUrls, listOf, refuseUnknownKeys } from "framewright/plugins/resources/toolkit";
import type { SavedViews } from "./index.ts";

const MAX_NAME = 100;
const MAX_QUERY = 2000;
/** Views that a person may keep of one list. */
const MAX_VIEWS = 50;

/** The store, for a list of a person who is found again; undefined where views are not stored. */
export function savedViewsOf(controller: ResourceController): SavedViews | undefined {
  const isKept = accountId(controller.currentUser) !== undefined && controller.about.parent === undefined;
  return isKept ? controller.request.kernel.service("saved_views") : undefined;
}

/** `POST <list>/views?<query>`: keeps the list of the query under a name. @throws HttpError 403, 404, 422 */
export async function createView(controller: ResourceController): Promise<Reply> {
  const store = savedViewsOf(controller);
  if (!store) throw notFound();
  refuseUnknownKeys(controller, ["name", "shared"]);
  const urls = new ListUrls(controller, listOf(controller));
  const owner = rowOwner(controller, controller.registration.constant);
  const query = urls.query();
  const name = nameOf(controller);
  const problem = await problemOf(store, owner, { name, query });
  if (problem !== undefined) return refuse(controller, problem, urls.same());
  const shared = controller.request.body.get("shared") === "1" && allows(controller.policyFor(), "shareViews");
  await store.insert(owner, { name, query, shared });
  if (controller.request.format === "json") return controller.json({ data: { name, query, shared } }, { status: 201 });
  controller.flash.add("success", controller.t("resource.views.saved", { name }));
  return controller.redirectTo(urls.same());
}

function nameOf({ request }: ResourceController): string {
  const given = request.body.get("name");
  return typeof given === "string" ? given.trim() : "";
}

async function problemOf(
  store: SavedViews,
  owner: ReturnType<typeof rowOwner>,
  { name, query }: { name: string; query: string },
): Promise<string | undefined> {
  if (name === "" || name.length > MAX_NAME) return "resource.views.name_wrong";
  if (query === "" || query.length > MAX_QUERY) return "resource.views.query_wrong";
  return (await store.count(owner)) >= MAX_VIEWS ? "resource.views.too_many" : undefined;
}

function refuse(controller: ResourceController, key: string, url: string): Reply {
  const text = controller.t(key, { count: MAX_VIEWS });
  if (controller.request.format === "json") throw unprocessable(text);
  controller.flash.add("error", text);
  return controller.redirectTo(url);
}

/** `POST <list>/views/:view_id/delete`. @throws HttpError 404 for another's */
export async function deleteView(controller: ResourceController): Promise<Reply> {
  const { view_id = "" } = controller.request.routeParams;
  const store = savedViewsOf(controller);
  if (!store || !/^[1-9]\d{0,14}$/.test(view_id)) throw notFound();
  refuseUnknownKeys(controller, []);
  if (!(await store.remove(rowOwner(controller, controller.registration.constant), Number(view_id)))) throw notFound();
  if (controller.request.format === "json") return controller.json({ data: null });
  controller.flash.add("success", controller.t("resource.views.deleted"));
  return controller.redirectTo(controller.listUrl);
}
