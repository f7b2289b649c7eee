import { type Application, type BaseController, notFound, type Reply, type RouteSet } from "framewright/host";
import type {} from "framewright/plugins/api_keys";
import { portalController } from "framewright/plugins/portals";
import { createActions, findEverywhere } from "./find_everywhere.ts";

const PATH = "/_search";

/** Draws the search of a portal, which looks in all of its resources, as a page and as JSON. */
export function drawSearch(host: Application, set: RouteSet, drawn: Set<string>): void {
  const portal = set.owner;
  const controller = portal === undefined ? undefined : portalController(host, portal, "search");
  if (portal === undefined || !controller) return;
  const { metadata } = set.draw("GET", PATH, {
    controller,
    action: answerSearch,
    policy: "(by resource)",
    as: "fw_search",
  });
  metadata.checksScopes = true;
  drawn.add(portal);
}

/** The address of the search, for people who are signed in to a portal that has one. */
export function searchUrl(drawn: ReadonlySet<string>, { currentUser, request }: BaseController): string | undefined {
  const { engine, mountPath } = request;
  const isOffered = currentUser !== undefined && engine !== undefined && drawn.has(engine.name);
  return isOffered ? mountPath + PATH : undefined;
}

/** @throws HttpError 404 for guests */
export async function answerSearch(controller: BaseController): Promise<Reply> {
  if (controller.currentUser === undefined) throw notFound();
  const { request } = controller;
  const given = request.query.get("q");
  const term = typeof given === "string" ? given.trim() : "";
  const { groups, unsearched } = term === "" ? { groups: [], unsearched: [] } : await findEverywhere(controller, term);
  if (request.format === "json")
    return controller.json({ data: groups, meta: { unsearched, ...(term === "" ? offered(controller) : {}) } });
  const title = controller.t("resource.everywhere.title");
  const locals = { title, term, groups, unsearched: unsearched.join(", "), breadcrumbs: [{ label: title }] };
  return controller.render("resource/search", { locals });
}

/** What the dialog offers before anything is typed. */
function offered(controller: BaseController) {
  const { request } = controller;
  const text = (key: string) => controller.t(`resource.everywhere.${key}`);
  const headings = { actions: text("actions"), recent: text("recent"), switch: text("switch") };
  const isPerson = !request.kernel.has("api_keys") || !request.kernel.service("api_keys").grantOf(request);
  return { actions: isPerson ? createActions(controller) : [], headings };
}
