import { HttpError, type Reply } from "framewright/host";
import type { ResourceController } from "../controller.ts";
import type { Page } from "../entry/read_page.ts";
import type { ListRequest } from "../registration/list_params.ts";
import { ListUrls, PLAIN_QUERY } from "./list_urls.ts";

/** A browser whose address asks for what the list does not have is led to the list without it; undefined for other errors, and for JSON. */
export function answerWithoutRefused(controller: ResourceController, error: unknown): Reply | undefined {
  const { request } = controller;
  if (!(error instanceof HttpError) || error.status !== 422 || request.format === "json") return undefined;
  const refused = Object.keys(error.fields ?? {});
  const asked = new URL(request.raw.url ?? "", "http://localhost").searchParams;
  const kept = [...asked].filter(([name]) => !refused.includes(name.split("[", 1)[0]!));
  if (kept.length === asked.size) return undefined; // what was refused is not of the address: the same answer would come again
  if (controller.currentUser !== undefined) controller.flash.add("warning", controller.t("resource.left_out"));
  const query = new URLSearchParams(kept).toString();
  const plain = controller.resources.savedViews ? PLAIN_QUERY : ""; // what was refused may be what the default view asks
  return controller.redirectTo(controller.listUrl + (query === "" ? plain : `?${query}`));
}

/** A page behind the last one that has rows; undefined where the page has some, or the list has none at all. */
export function answerBehindEnd(controller: ResourceController, list: ListRequest, found: Page): Reply | undefined {
  const { entries, total } = found;
  if (entries.length > 0 || total === 0 || list.after || controller.request.format === "json") return undefined;
  const last = Math.ceil(total / list.perPage);
  if (list.page <= last) return undefined;
  return controller.redirectTo(new ListUrls(controller, list).page(last, list.askedPerPage));
}
