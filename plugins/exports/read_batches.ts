import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import {
  applyCursor,
  applyList,
  applyOrder,
  type Cursor,
  cursorOf,
  type Entry,
  entriesOfRows,
  type ListRequest,
  listContextOf,
  loadHandled,
  orderColumns,
  readRecords,
  readsRows,
} from "framewright/plugins/resources/toolkit";

const BATCH_ROWS = 500;

interface Batch {
  entries: readonly Entry[];
  next: Cursor | undefined;
}
type Read = (query: Query<BaseModel>, list: ListRequest) => Promise<{ entries: readonly Entry[]; rows: Rows }>;
/** The rows as they are stored, with at least the columns of the order. */
type Rows = readonly Record<string, unknown>[];

/**
 * All entries of a list, a statement for each batch: between two of them no connection is taken. An order without
 * cursors gives way to that of lists that request none, the newest first.
 */
export async function* readBatches(
  controller: ResourceController,
  list: ListRequest,
  names: readonly string[],
): AsyncGenerator<readonly Entry[]> {
  const { registration } = controller;
  const { key, primaryKey } = registration.model;
  const loaded = controller.loadedFor(names);
  const isOrdered = key.isMissing || orderColumns(list, registration) !== undefined;
  const ordered: ListRequest = isOrdered ? list : { ...list, sorts: [{ name: primaryKey, direction: "desc" }] };
  const read = readsRows(controller, loaded) ? readAsRows(controller, loaded) : readAsRecords(controller, loaded);
  let after: Cursor | undefined;
  do {
    const { entries, next } = await readBatch(controller, ordered, after, read);
    await loadHandled(controller, entries, names);
    yield entries;
    after = next;
  } while (after);
}

async function readBatch(
  controller: ResourceController,
  list: ListRequest,
  after: Cursor | undefined,
  read: Read,
): Promise<Batch> {
  const { registration, resources } = controller;
  const query = controller.visibleRecords(resources.database.replicaFor(controller.request));
  const context = listContextOf(controller);
  applyList(query, list, registration, context);
  query.clearOrder(); // one of a controller's own visibleRecords would come before that of the cursor, which would skip rows
  applyOrder(query, list.sorts, registration, context);
  if (after && registration.model.key.isMissing) query.offset(after.position);
  else if (after) applyCursor(query, list, after, controller);
  const { entries, rows } = await read(query.limit(BATCH_ROWS), list);
  const isLast = rows.length < BATCH_ROWS;
  const position = (after?.position ?? 0) + rows.length;
  return { entries, next: isLast ? undefined : cursorOf(controller, list, rows.at(-1)!, position) };
}

const readAsRows =
  (controller: ResourceController, loaded: readonly string[]): Read =>
  async (query) => {
    const read = await controller.resources.database.readRows(controller.registration.model, query, loaded);
    return { entries: await entriesOfRows(controller, read), rows: read.rows };
  };

/** Reads the columns of the order first: an instance may have other values, and its row change in the meantime. */
const readAsRecords =
  (controller: ResourceController, loaded: readonly string[]): Read =>
  async (query, list) => {
    const { registration, resources, request } = controller;
    const { database } = resources;
    const { table, key } = registration.model;
    if (key.isMissing) {
      const entries = await readRecords(controller, query, loaded);
      return { entries, rows: entries.map(() => ({})) };
    }
    const columns = orderColumns(list, registration)!.map((column) => `${table}.${column}`);
    const rows = await database.rows(query.clearSelect().select(columns).toKnexQuery());
    const ids = rows.map((row) => key.of(row)!);
    const found = key.whereIn(controller.visibleRecords(database.replicaFor(request)), ids);
    const entries = ids.length > 0 ? await readRecords(controller, found, loaded) : [];
    const places = new Map(ids.map((id, at) => [String(id), at]));
    return { entries: entries.sort((a, b) => places.get(String(a.id))! - places.get(String(b.id))!), rows };
  };
