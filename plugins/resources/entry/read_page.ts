import { HttpError } from "framewright/host";
import {
  type BaseModel,
  type Counted,
  type Database,
  findNamed,
  type Omission,
  type Prepared,
  type Query,
  type RowsRead,
  type Transaction,
  whereNamed,
} from "framewright/plugins/database";
import type { SortOptions } from "../definition/definition_options.ts";
import { allows } from "../definition/policy.ts";
import { type Narrowing, narrow } from "../definition/query_scope.ts";
import { type ListReader, listContextOf } from "../operations/list_context.ts";
import { applyList, applyOrder } from "../registration/apply_list.ts";
import { hasConditions } from "../registration/conditions.ts";
import { type ListRequest, MAX_COUNTED_ROWS } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import { applyCursor } from "./cursor.ts";
import type { Entry, Page } from "./entry.ts";
import { findByFormerSlug } from "./former_address.ts";
import { loadHandled } from "./handled_values.ts";
import { withoutHidden } from "./hidden_references.ts";
import { loadRelatedLabels } from "./load_labels.ts";
import { pageOf } from "./place.ts";
import { canNameRows, canUseRows, isNamed } from "./read_mode.ts";
import { recordEntries, recordEntry } from "./record_entry.ts";
import { rowEntries } from "./row_entry.ts";

export type { Page } from "./entry.ts";

/** What a list reads beside its columns: the associations that are named; and what it leaves out. */
export interface PageParts {
  readonly loaded: readonly string[];
  readonly omitted?: Omission | undefined;
}

/** Reads a page of a list. */
export function readPage(controller: ResourceRequest, list: ListRequest, parts: PageParts): Promise<Page> {
  const { loaded } = parts;
  const byRows = readsRows(controller, loaded);
  const open = byRows && !list.after && !isNarrowed(list) ? openList(controller, list) : undefined;
  return open ? openPage(controller, list, parts, open) : queriedPage(controller, list, parts, byRows);
}

/** Whether what a list of names shows is read as rows. */
export const readsRows = (controller: ResourceRequest, names: readonly string[]): boolean =>
  canUseRows(controller.registration.model, controller.overrides) && canNameRows(controller.registration.model, names);

/** Rows that were read as entries of the controller's own resource, without what they belong to and the person may not see. */
export function entriesOfRows(controller: ResourceRequest, read: RowsRead): Entry[] | Promise<Entry[]> {
  const shown = withoutHidden(controller, controller.registration.model, read);
  const entriesOf = (rows: RowsRead) => rowEntries(pageOf(controller), rows);
  return shown instanceof Promise ? shown.then(entriesOf) : entriesOf(shown);
}

/** Whether a list is searched, filtered, or in a scope or a part. */
export const isNarrowed = (list: ListRequest): boolean =>
  list.search !== undefined || list.scope !== undefined || list.within !== undefined || hasConditions(list);

/** What narrows the resource for the person of this request, where its queries need not be built each time. */
const narrowingIn = (controller: ResourceRequest): Narrowing | undefined =>
  controller.about.parent ? undefined : controller.resources.narrowing(controller, controller.registration.model);

async function queriedPage(
  controller: ResourceRequest,
  list: ListRequest,
  { loaded, omitted }: PageParts,
  byRows: boolean,
): Promise<Page> {
  const { registration, resources } = controller;
  const { database } = resources;
  const context = listContextOf(controller);
  const query = narrowedQuery(controller, list, context);
  const counting = query.clone();
  applyOrder(query, list.sorts, registration, context);
  if (list.after) applyCursor(query.limit(list.perPage + 1), list, list.after, controller);
  else query.limit(list.perPage).offset(offsetOf(list));
  const entries = byRows
    ? await entriesOfRows(controller, await database.readRows(registration.model, query, loaded, omitted))
    : await readRecords(controller, query, loaded);
  return counted(entries, list, () => database.countUpTo(counting, MAX_COUNTED_ROWS));
}

function narrowedQuery(controller: ResourceRequest, list: ListRequest, context: ListReader): Query<BaseModel> {
  const query = controller.visibleRecords(controller.resources.database.replicaFor(controller.request));
  applyList(query, list, controller.registration, context);
  if (list.within) narrow(query, `the shape "${list.shape}"`, list.within);
  return query;
}

/** The records of a list as the person sees it, in its order. */
export function listedQuery(controller: ResourceRequest, list: ListRequest): Query<BaseModel> {
  const context = listContextOf(controller);
  const query = narrowedQuery(controller, list, context);
  applyOrder(query, list.sorts, controller.registration, context);
  return query;
}

/** The records of a query of this resource, without their associations: as rows where that is possible. */
export async function readEntries(controller: ResourceRequest, query: Query<BaseModel>): Promise<Entry[]> {
  const { registration, resources } = controller;
  if (!readsRows(controller, [])) return readRecords(controller, query, []);
  return entriesOfRows(controller, await resources.database.readRows(registration.model, query, []));
}

/** The records of a query as entries, with the associations that are named. */
export async function readRecords(
  controller: ResourceRequest,
  query: Query<BaseModel>,
  loaded: readonly string[],
): Promise<Entry[]> {
  const { registration, resources } = controller;
  const records = await resources.database.read(query, loaded);
  await loadRelatedLabels(controller, records, registration.model, loaded);
  return recordEntries(controller, records);
}

const offsetOf = ({ page, perPage }: ListRequest): number => (page - 1) * perPage;

/** Counts, unless the page itself shows how many there are. */
async function counted(entries: readonly Entry[], list: ListRequest, count: () => Promise<Counted>): Promise<Page> {
  const offset = offsetOf(list);
  if (list.after) {
    const hasMore = entries.length > list.perPage;
    return { entries: entries.slice(0, list.perPage), hasMore, ...(await count()) };
  }
  const isLast = entries.length < list.perPage && (entries.length > 0 || offset === 0);
  if (isLast) return { entries, total: offset + entries.length, capped: false };
  return { entries, ...(await count()) };
}

/** The queries of a list that everybody has, but for values: put together once for each order. */
interface OpenList {
  all: Prepared;
  pages: Map<string, Prepared>;
}
interface OpenPage {
  page: Prepared;
  all: Prepared;
  /** Those of what narrows the list. */
  values: Narrowing["values"];
}
const MAX_ORDERS = 200;

async function openPage(
  controller: ResourceRequest,
  list: ListRequest,
  { loaded, omitted }: PageParts,
  { page, all, values: own }: OpenPage,
): Promise<Page> {
  const { database } = controller.resources;
  const offset = offsetOf(list);
  const values = offset > 0 ? [...own, list.perPage, offset] : [...own, list.perPage];
  const knex = database.replicaFor(controller.request);
  const { model } = controller.registration;
  const read = await database.readRows(model, { prepared: page, values, knex }, loaded, omitted);
  return counted(await entriesOfRows(controller, read), list, () =>
    database.countUpTo({ prepared: all, values: own, knex }, MAX_COUNTED_ROWS),
  );
}

/** The prepared page and count of a list; undefined where they must be built for this request, as for an order that the definition makes, or one too many. */
function openList(controller: ResourceRequest, list: ListRequest): OpenPage | undefined {
  const { registration, resources } = controller;
  const narrowing = narrowingIn(controller);
  const { sorts } = registration.definition;
  if (!narrowing || (sorts.size > 0 && list.sorts.some(({ name }) => readsRequest(controller, name, sorts.get(name)))))
    return undefined;
  const { apply, values } = narrowing;
  const built = { registration, database: resources.database, apply };
  const { all, pages } = registration.once(`open list ${narrowing.name}`, () => openListOf(built));
  const key = `${list.page > 1} ${list.sorts.map(({ name, direction }) => `${direction} ${name}`).join()}`;
  let page = pages.get(key);
  if (!page) {
    if (pages.size >= MAX_ORDERS) return undefined;
    page = preparedPage(built, list.sorts, values.length);
    pages.set(key, page);
  }
  return { page, all, values };
}

/** Whether the order by a name may differ from person to person. */
const readsRequest = (controller: ResourceRequest, name: string, { using, by }: SortOptions = {}): boolean => {
  const { model } = controller.registration;
  return (
    Boolean(using) ||
    (by !== undefined && controller.resources.isScoped(controller, model.associations.get(name)!.target))
  );
};

/** What is prepared outlives the request: it must not refer to the controller. */
interface BuiltList {
  readonly registration: Registration;
  readonly database: Database;
  readonly apply: Narrowing["apply"];
}

const openListOf = ({ registration: { model }, database, apply }: BuiltList): OpenList => ({
  all: database.prepared((_, values) => {
    const query = database.query(model.class) as Query<BaseModel>;
    apply(query, values);
    return query.toKnexQuery();
  }),
  pages: new Map(),
});

/** Its values are those of what narrows the list, the number of rows, and where the page begins. */
const preparedPage = (
  { registration, database, apply }: BuiltList,
  sorts: ListRequest["sorts"],
  narrowed: number,
): Prepared =>
  database.prepared((_, values) => {
    const query = database.query(registration.model.class) as Query<BaseModel>;
    apply(query, values);
    applyOrder(query, sorts, registration, undefined);
    const [limit, offset] = values.slice(narrowed) as number[];
    query.limit(limit!);
    if (offset !== undefined) query.offset(offset);
    return query.toKnexQuery();
  });

/** The entry that the route of a record names; what a replica does not have may be on the primary. @throws HttpError 404 */
export async function findEntry(controller: ResourceRequest, names: readonly string[]): Promise<Entry> {
  const from = controller.resources.database.replicaFor(controller.request);
  const found = findEntryIn(controller, names, from);
  const onPrimary = (error: unknown) => {
    if (error instanceof HttpError && error.status === 404) return findEntryIn(controller, names);
    throw error;
  };
  const entry = await (from ? found.catch(onPrimary) : found);
  const waits = loadHandled(controller, [entry], names);
  if (waits) await waits;
  return entry;
}

async function findEntryIn(controller: ResourceRequest, names: readonly string[], from?: Transaction): Promise<Entry> {
  const { registration, about } = controller;
  const loaded = controller.loadedFor(names);
  if (!isNamed(about) || !readsRows(controller, loaded))
    return recordEntry(controller, await controller.findRecord(names, from));
  const narrowing = narrowingIn(controller);
  const read = async (column: string, value: number | string): Promise<Entry | undefined> => {
    const rows = await readNamedRow(controller, { column, value, loaded, narrowing, from });
    const entries = rows && entriesOfRows(controller, rows);
    return entries && (entries instanceof Promise ? await entries : entries)[0];
  };
  const { model, paramKey } = registration;
  const named = { model, paramKey, read, valueOf: (entry: Entry, column: string) => entry.column(column) };
  const found = await findNamed(named, controller.request.routeParams.id);
  const mayShow = (entry: Entry) => allows(entry.policy(), "show");
  return found ?? findByFormerSlug(controller, { registration, parameter: "id", mayShow, ...named });
}

interface NamedRow {
  column: string;
  value: number | string;
  loaded: readonly string[];
  narrowing: Narrowing | undefined;
  from: Transaction | undefined;
}
function readNamedRow(
  controller: ResourceRequest,
  { column, value, loaded, narrowing, from }: NamedRow,
): Promise<RowsRead | undefined> {
  const { registration, resources } = controller;
  const { model } = registration;
  const { database } = resources;
  if (!narrowing || model.key.isComposite)
    return database.readRows(model, whereNamed(controller.visibleRecords(from), model, column, value).limit(1), loaded);
  if (narrowing.name === "" && column === model.primaryKey) return database.readRowByKey(model, value, loaded, from);
  const prepared = resources.selects.by(model, column, narrowing);
  return database.readRows(model, { prepared, values: [...narrowing.values, value], knex: from }, loaded);
}
