import { escapeHtml, HttpError, html, Params, parseForm, raw, type SafeHtml, safeUrl } from "framewright/host";
import type { ActionView } from "framewright/plugins/fields";
import { iconOrNothing } from "framewright/plugins/views";
import { allows } from "../definition/policy.ts";
import { applyCursor, cursorOf, orderRow } from "../entry/cursor.ts";
import type { Entry } from "../entry/entry.ts";
import { listedQuery, readEntries } from "../entry/read_page.ts";
import { requestedList } from "../operations/list_context.ts";
import { type ListRequest, lastNumberedPage } from "../registration/list_params.ts";
import { isSingle } from "../registration/registration.ts";
import { listLabel } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { ListUrls } from "./list_urls.ts";

/** The parameter of a record's address that has the query of the list that the person came from. */
export const FROM_LIST = "_list";
const MAX_QUERY_CHARS = 1000;
/** How many rows are read for the next one that the person may open. */
const MAX_LOOKED_AT = 5;

/** What the address of a record has after the path, opened from a list; nothing for guests, whose addresses search engines keep. */
export function fromList({ currentUser }: ResourceRequest, list: ListRequest, urls: ListUrls): string {
  if (currentUser === undefined) return "";
  const query = urls.page(list.page, list.askedPerPage).slice(urls.base.length + 1);
  if (query === "") return `?${FROM_LIST}`;
  return query.length > MAX_QUERY_CHARS ? "" : `?${FROM_LIST}=${escapeHtml(encodeURIComponent(query))}`;
}

/** The list of an address, as the person sees it; undefined for one that is none of the controller's. */
export function listAt(controller: ResourceRequest, address: string): ListRequest | undefined {
  const { listUrl } = controller;
  if (address !== listUrl && !address.startsWith(`${listUrl}?`)) return undefined;
  try {
    const params = new Params(parseForm(address.slice(listUrl.length + 1)));
    return requestedList(controller, controller.listOf("Index"), params);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** The records before and after one in the list that it was opened from, and the page of the list that has them. */
interface Neighbours {
  previous?: Entry | undefined;
  next?: Entry | undefined;
  /** The number of the page that a neighbour is on, where it differs. */
  pageOf(entry: Entry): number;
}

/** Links to the records before and after, and back to the list; `actions` lead back here. Undefined where the address names no list of the person's. */
export async function neighbourMenu(
  controller: ResourceRequest,
  entry: Entry,
  actions: readonly ActionView[],
): Promise<SafeHtml | undefined> {
  const list = await listCameFrom(controller);
  if (!list) return undefined;
  const urls = new ListUrls(controller, list);
  const back = urls.page(list.page, list.askedPerPage);
  const from = (page: number) => fromList(controller, { ...list, page }, urls);
  for (const action of actions) leadBack(action, entry.url(), { here: entry.url() + from(list.page), back });
  const { previous, next, pageOf } = await neighboursOf(controller, list, entry);
  const t = (key: string) => controller.t(`resource.neighbours.${key}`);
  const link = (to: Entry | undefined, rel: "prev" | "next", sign: string) => {
    if (!to) return html`<span class="fw-page fw-page-off" aria-hidden="true">${iconOrNothing(sign)}</span>`;
    return html`<a class="fw-page" rel="${rel}" href="${safeUrl(to.url())}${raw(from(pageOf(to)))}" title="${t(rel)}">${iconOrNothing(sign)}<span class="visually-hidden">${t(rel)}</span></a>`;
  };
  const backText = controller.t("errors.back_to", { name: listLabel(controller, controller.about) });
  return html`<nav class="fw-neighbours" aria-label="${t("label")}"><a class="fw-page" href="${safeUrl(back)}" title="${backText}">${iconOrNothing("list")}<span class="visually-hidden">${backText}</span></a>${link(previous, "prev", "chevron-up")}${link(next, "next", "chevron-down")}</nav>`;
}

/** The list that the address names, as the person sees it; undefined for what is none. */
async function listCameFrom(controller: ResourceRequest): Promise<ListRequest | undefined> {
  const given = controller.params.get(FROM_LIST);
  const isGiven = typeof given === "string" && given.length <= MAX_QUERY_CHARS;
  if (!isGiven || controller.currentUser === undefined || isSingle(controller.about)) return undefined;
  try {
    await controller.authorizeAction("index");
    return requestedList(controller, controller.listOf("Index"), new Params(parseForm(given)));
  } catch (error) {
    if (error instanceof HttpError) return undefined; // a list that the person does not have, or no longer
    throw error;
  }
}

/** A form leads back to the record in its list, a deletion to the list. */
function leadBack(action: ActionView, base: string, { here, back }: { here: string; back: string }): void {
  const { key, url, method, confirmUrl } = action;
  const to = (location: string) => `?return_to=${encodeURIComponent(location)}`;
  if (key === "destroy" && confirmUrl !== undefined) action.confirmUrl = confirmUrl + to(back);
  else if (method === "get" && [`${base}/edit`, `${base}/actions/${key}`].includes(url)) action.url = url + to(here);
}

/** By the record's own place in the order; where that has no cursors, among the rows of the page that it was opened from. */
async function neighboursOf(controller: ResourceRequest, list: ListRequest, entry: Entry): Promise<Neighbours> {
  const row = await orderRow(controller, list, entry);
  if (!row) return onPage(controller, list, entry);
  const sorts = list.sorts.map(({ name, direction }) => ({ name, direction: opposite[direction] }));
  const after = async (ordered: ListRequest) => {
    const query = listedQuery(controller, ordered);
    applyCursor(query, ordered, cursorOf(controller, ordered, row, 0), controller);
    return (await readEntries(controller, query.limit(MAX_LOOKED_AT))).find(mayOpen);
  };
  return { previous: await after({ ...list, sorts }), next: await after(list), pageOf: () => list.page };
}
const opposite = { asc: "desc", desc: "asc" } as const;
const mayOpen = (entry: Entry): boolean => allows(entry.policy(), "show");

async function onPage(controller: ResourceRequest, list: ListRequest, { id }: Entry): Promise<Neighbours> {
  const { page, perPage } = list;
  if (page > lastNumberedPage(perPage)) return { pageOf: () => page };
  const start = Math.max(0, (page - 1) * perPage - 1); // one row more on both sides
  const query = listedQuery(controller, list)
    .offset(start)
    .limit(perPage + 2);
  const entries = await readEntries(controller, query);
  const at = entries.findIndex((one) => String(one.id) === String(id));
  const pageOf = (entry: Entry) => Math.floor((start + entries.indexOf(entry)) / perPage) + 1;
  if (at < 0) return { pageOf };
  return { previous: entries.slice(0, at).findLast(mayOpen), next: entries.slice(at + 1).find(mayOpen), pageOf };
}
