import {
  BoundedCache,
  escapeHtml,
  html,
  localeOf,
  type Reply,
  raw,
  type SafeHtml,
  unprocessable,
} from "framewright/host";
import { callHook, type Registry } from "framewright/kernel";
import { type ActionView, displayWords, type EmptyView, emptyState, pager } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import { cellOf, templatesOf } from "../entry/cells.ts";
import { cursorAfter, readCursor } from "../entry/cursor.ts";
import { entriesJson } from "../entry/entry.ts";
import { loadHandled } from "../entry/handled_values.ts";
import { isNarrowed, type Page, readPage } from "../entry/read_page.ts";
import { unshownColumns } from "../entry/unshown_columns.ts";
import { requestedList, shapesOf, sortableNames } from "../operations/list_context.ts";
import { shownNames } from "../operations/shown_names.ts";
import { isOnList } from "../operations/targets.ts";
import { listedColumns } from "../registration/list_conventions.ts";
import { type ListRequest, lastNumberedPage, shapeKey, sortable } from "../registration/list_params.ts";
import {
  countText,
  fieldLabel,
  inSentence,
  labelsFor,
  listLabel,
  valueLabels,
} from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { actionViews, chrome } from "./chrome.ts";
import { answerBehindEnd, answerWithoutRefused } from "./corrected_list.ts";
import { prepareActions } from "./hidden_actions.ts";
import { headersOf, type ListPlan } from "./list_headers.ts";
import { type ListColumn, ListHead, ListRows, type ListShape } from "./list_parts.ts";
import { listTable, RowsDrawer } from "./list_table.ts";
import { ListUrls } from "./list_urls.ts";
import { fromList } from "./neighbours.ts";
import { scopeTabs } from "./scope_tabs.ts";
import { shapeLinks } from "./shape_links.ts";
import { toolbar } from "./toolbar.ts";

const OFFERED_SIZES = [50, 100];
const MAX_CELL_CHARS = 80;
const MAX_PAGERS = 100;

export async function answerIndex(controller: ResourceRequest): Promise<Reply> {
  const opening = callHook(controller.resources.hooks.listOpening, controller);
  const opened = opening instanceof Promise ? await opening : opening;
  if (opened) return opened;
  try {
    return await answerAsked(controller);
  } catch (error) {
    const without = answerWithoutRefused(controller, error);
    if (without) return without;
    throw error;
  }
}

async function answerAsked(controller: ResourceRequest): Promise<Reply> {
  const names = controller.listOf("Index");
  const list = requestedList(controller, names);
  list.after = readCursor(controller, list);
  if (list.after) list.page = Math.floor(list.after.position / list.perPage) + 1;
  else if (list.page > lastNumberedPage(list.perPage)) return answerTooFar(controller, list);
  const { registration, request } = controller;
  const isJson = request.format === "json";
  const listed = list.columns ?? (isJson ? names : listedColumns(registration, names));
  const shapes = shapesOf(controller, names);
  const only = shapes.size > 0 ? [...shapes.entries()].find(([, { isOnly }]) => isOnly)?.[1] : undefined;
  const shape = isJson ? undefined : (only ?? shapes.get(shapeKey(list)));
  const shown = shape ? shape.names(list, listed).filter((name) => names.includes(name)) : listed;
  const asked = { names: shown, loaded: controller.loadedFor(names), sorts: list.sorts };
  const omitted = unshownColumns(controller, registration, asked);
  const read = async (one: ListRequest): Promise<Page> => {
    const page = await readPage(controller, one, { loaded: asked.loaded, omitted });
    const waits = loadHandled(controller, page.entries, shown);
    if (waits) await waits;
    return page;
  };
  const page = await (shape?.read?.(list, read) ?? read(list));
  if (isJson) return answerList(controller, list, page, shown);
  const plan = planFor(controller, shownNames(controller, shown, "columns"), names);
  const behind = answerBehindEnd(controller, list, page);
  const view = { list, plan, page, names, shape, shapes };
  return behind ?? controller.render("index", { locals: await indexLocals(controller, view) });
}

/** A page whose number is so high that the database would go through all rows before it. */
function answerTooFar(controller: ResourceRequest, list: ListRequest): Reply {
  const last = lastNumberedPage(list.perPage);
  if (controller.request.format !== "json")
    return controller.redirectTo(new ListUrls(controller, list).page(last, list.askedPerPage));
  const text = `goes no further than ${last}: follow "next" in the list's "meta"`;
  throw unprocessable(`page ${text}.`, { page: [text] });
}

/** The address of the page after this one, by its last row; undefined where there is none, or the order has no cursors. */
async function nextAddress(controller: ResourceRequest, list: ListRequest, found: Page) {
  const { page, perPage, after } = list;
  const isFollowed = controller.params.string("after") === "" && page * perPage < found.total;
  const { entries, capped, hasMore = capped || isFollowed } = found;
  if (entries.length < perPage || !hasMore) return undefined;
  const position = (after?.position ?? (page - 1) * perPage) + entries.length;
  const cursor = await cursorAfter(controller, list, entries.at(-1)!, position);
  if (cursor === undefined) return undefined;
  const suffix = /\.json(?:\?|$)/.test(controller.request.raw.url ?? "") ? ".json" : "";
  return new ListUrls(controller, list).after(cursor, list.askedPerPage, suffix);
}

async function answerList(
  controller: ResourceRequest,
  list: ListRequest,
  page: Page,
  names: readonly string[],
): Promise<Reply> {
  const { total, capped } = page;
  const data = entriesJson(page.entries, controller.registration.jsonPlan(names));
  const next = await nextAddress(controller, list, page);
  const meta = { total, ...(capped ? { capped } : {}), page: list.page, per_page: list.perPage };
  const reply = controller.json({ data, meta: next === undefined ? meta : { ...meta, next } });
  const { json } = controller.resources.hooks;
  if (json.isUsed())
    await json.promise({ controller, reply, entries: page.entries, list: { request: list, count: page, next } });
  return reply;
}

/** `permitted`: the names that the columns were chosen from, by which it is decided what may be sorted by. */
export function planFor(
  controller: ResourceRequest,
  names: readonly string[],
  permitted: readonly string[] = names,
): ListPlan {
  const { registration } = controller;
  const sorted = sortableNames(controller, permitted);
  const kind = sorted === permitted ? "index" : `index sorted by ${sorted.join()}`;
  return registration.planWithTexts(controller, kind, names, (kept) => {
    const attributes = kept.map((name) => registration.attribute(name));
    return {
      columns: attributes.map((attribute) => columnOf(controller, attribute, sorted)),
      headers: new Map(),
    };
  });
}

/** `names`: those that the list may be sorted by. */
export function columnOf(
  controller: ResourceRequest,
  attribute: Attribute,
  names: readonly string[],
  truncate = MAX_CELL_CHARS,
): ListColumn {
  const { registration } = controller;
  const words = displayWords((key) => controller.t(key), localeOf(controller.request.locale));
  const labelsOf = (name: string) => valueLabels(controller, registration, name);
  return {
    name: attribute.name,
    label: fieldLabel(controller, registration, attribute, "listed"),
    numeric: attribute.types.listed.numeric,
    isBoolean: attribute.listed.as === "boolean",
    priority: registration.definition.columns.get(attribute.name)?.priority,
    sortable: sortable(attribute.name, registration, names),
    keepsLinks: attribute.listed.format !== undefined || attribute.listed.template !== undefined,
    cell: cellOf(attribute, { words, labelsOf, render: templatesOf(controller), truncate }),
  };
}

interface IndexView {
  list: ListRequest;
  plan: ListPlan;
  page: Page;
  names: readonly string[];
  shape: ListShape | undefined;
  shapes: Registry<ListShape>;
}

type IndexLocals = ReturnType<typeof chrome> & { table: SafeHtml };

async function indexLocals(controller: ResourceRequest, view: IndexView): Promise<IndexLocals> {
  const { list, page } = view;
  const many = listLabel(controller, controller.about);
  const onList = prepareActions(controller);
  if (onList) await onList;
  const onRows = page.entries.length > 0 && prepareActions(controller, page.entries);
  if (onRows) await onRows;
  const urls = new ListUrls(controller, list);
  const policy = controller.policyFor();
  const actions = actionViews(controller, "collection", urls.base, policy);
  for (const action of actions) carryList(controller, action, urls);
  const head = new ListHead({ controller, list, urls, policy, names: view.names });
  const adding = callHook(controller.resources.hooks.listHead, head);
  if (adding) await adding;
  if (view.shape?.isOnly) head.tools.length = 0;
  else if (view.shapes.size > 0) head.menu.push(shapeLinks(controller, view.shapes, list, urls));
  const menu = head.menu.length > 0 ? html`${head.menu}` : undefined;
  return Object.assign(chrome(controller, { title: many, actions, menu }), {
    subtitle: countText(controller, controller.registration, page),
    create_url: actions.find(({ key }) => key === "new")?.url,
    scopes: await scopeTabs(head),
    filters: await toolbar(controller, head),
    table: await tableOf(controller, view, urls),
    pager: view.shape?.read ? raw("") : await pagerOf(controller, list, page, urls),
  });
}

/** What runs on the records of the list is given its search, scope and filters. */
function carryList({ registration }: ResourceRequest, view: ActionView, urls: ListUrls): void {
  if (!isOnList(registration.definition.actions.get(view.key)!)) return;
  view.url = urls.action(view.url);
  if (view.confirmUrl !== undefined) view.confirmUrl = urls.action(view.confirmUrl);
}

async function tableOf(controller: ResourceRequest, view: IndexView, urls: ListUrls): Promise<SafeHtml> {
  const { plan, page, list } = view;
  if (page.entries.length === 0 && !view.shape?.drawsEmpty) return emptyState(emptyOf(controller, list, urls.base));
  if (view.shape) return view.shape.draw({ list, urls, page, columns: plan.columns });
  const parts = await rowsOf(controller, view);
  const selection = parts?.selection;
  const from = fromList(controller, list, urls);
  const drawer = new RowsDrawer(controller, plan.columns, { lead: selection?.cell, parts, from });
  const caption = listLabel(controller, controller.about);
  const headers = headersOf(controller, plan, list, urls);
  const foot = parts?.foot && { ...parts.foot, columns: plan.columns, hasLead: selection !== undefined };
  const table = listTable(controller, drawer, page.entries, (selection?.header ?? "") + headers, { caption, foot });
  return raw(table + (selection?.bar ?? "") + scriptsOf(controller, drawer.scripts));
}

/** The rows of a list with what plugins add to them; undefined where none does. */
async function rowsOf(controller: ResourceRequest, { list, plan, page }: IndexView): Promise<ListRows | undefined> {
  const rows = new ListRows(controller, list, plan.columns, page);
  const adding = callHook(controller.resources.hooks.listRows, rows);
  if (adding) await adding;
  return rows;
}

/** The scripts of what plugins add to rows. */
function scriptsOf({ request }: ResourceRequest, scripts: ReadonlySet<string>): string {
  const url = (name: string) => escapeHtml(request.kernel.service("assets").url(name));
  return [...scripts].map((name) => `<script src="${url(name)}" defer></script>`).join("");
}

/** The text of an empty list: nothing matches, or there is nothing yet, and what to do. */
function emptyOf(controller: ResourceRequest, list: ListRequest, base: string): EmptyView {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  if (isNarrowed(list) || list.after)
    return { title: t("resource.none_found"), text: t("resource.none_found_text"), icon: "search-off" };
  const { one } = labelsFor(controller, controller.registration);
  const many = listLabel(controller, controller.about);
  const offered = actionViews(controller, "collection", base, controller.policyFor());
  const create = offered.find(({ key }) => key === "new");
  return {
    title: t("resource.empty", { name: inSentence(controller, many) }),
    text: t(create ? "resource.empty_text" : "resource.empty_text_readonly", { name: inSentence(controller, one) }),
    ...(create ? { action: create } : {}),
  };
}

/** The numbers of rows that a page may have, where the list has more than the smallest. */
function sizesOf({ registration }: ResourceRequest, total: number, urls: ListUrls) {
  const { perPage: usual } = registration.definition;
  const sizes = [...new Set([usual, ...OFFERED_SIZES])].sort((a, b) => a - b);
  if (total <= sizes[0]!) return [];
  return sizes.map((rows) => ({ rows, url: urls.page(1, rows === usual ? undefined : rows) }));
}

async function pagerOf(controller: ResourceRequest, list: ListRequest, found: Page, urls: ListUrls): Promise<SafeHtml> {
  const { page, perPage, askedPerPage } = list;
  const { total, capped } = found;
  const next = page >= lastNumberedPage(perPage) ? await nextAddress(controller, list, found) : undefined;
  const numbers = { page, perPage, total, capped, next };
  const madeOf = JSON.stringify([urls.page(1, askedPerPage), urls.page(2, askedPerPage), numbers]);
  return keptPagers(controller).getOrMake(madeOf, () =>
    pager({
      ...numbers,
      pages: Math.max(1, Math.ceil(total / perPage)),
      url: (to) => urls.page(to, askedPerPage),
      sizes: sizesOf(controller, total, urls),
      locale: localeOf(controller.request.locale),
      t: (key, vars) => controller.t(key, vars),
    }),
  );
}

/** The pagers that lists were shown with lately, by what they were built from. */
const keptPagers = (controller: ResourceRequest): BoundedCache<SafeHtml> =>
  controller.registration.onceWithTexts(controller, "pagers", () => new BoundedCache(MAX_PAGERS));

/** The columns of a list as the person sees it. */
export function listColumns(controller: ResourceRequest, list: ListRequest): readonly ListColumn[] {
  const names = controller.listOf("Index");
  const listed = list.columns ?? listedColumns(controller.registration, names);
  return planFor(controller, shownNames(controller, listed, "columns"), names).columns;
}
