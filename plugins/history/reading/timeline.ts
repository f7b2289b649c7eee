import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { HistoryFilter, HistoryHooks, TimelineItem } from "../contract.ts";
import type { HistoryStore } from "../store.ts";
import { readableNames, tenantOf } from "./access.ts";
import { compareItems, entryCursor, type ItemCursor, isSince } from "./cursor.ts";
import { itemOf, type RevertButtons } from "./draw_entry.ts";
import { type ShownEntry, type ShownRecord, shownEntries } from "./shown_changes.ts";

/** How often more is read where what was read is hidden. */
const MAX_ROUNDS = 5;

/** A part of a record's timeline. */
export interface Timeline {
  readonly items: readonly TimelineItem[];
  readonly next: ItemCursor | undefined;
}
export interface TimelineParts {
  readonly store: HistoryStore;
  readonly hooks: HistoryHooks;
}
interface Wanted {
  readonly before: ItemCursor | undefined;
  readonly limit: number;
  /** What an entry has beside its fields. */
  readonly revert?: (shown: ShownEntry) => RevertButtons;
}

/** Which entries are of a record, as far as a request may see them; undefined for none. */
export function entriesOf(controller: ResourceRequest, record: BaseModel): HistoryFilter | undefined {
  const model = ModelInfo.ofRecord(record);
  const tenant = tenantOf(controller);
  if (tenant === null) return undefined;
  const family = controller.resources.database.models().filter(({ table }) => table === model.table);
  const models = family.map(({ constant }) => constant);
  return { models, record: String(ModelInfo.keyOf(record)), ...(tenant === undefined ? {} : { tenant }) };
}

/** The entry by which the record that has a key now was created, where that was recorded. */
export async function birthOf(store: HistoryStore, { models = [], record = "" }: HistoryFilter) {
  return (await store.births(models, [record])).get(record);
}

/** The changes of a record with what plugins add, the newest first, as the person may see them now. */
export async function timelineOf(
  { store, hooks }: TimelineParts,
  controller: ResourceRequest,
  record: BaseModel,
  { before, limit, revert }: Wanted,
): Promise<Timeline> {
  const own = await ownEntries(store, controller, record, before, limit + 1);
  const items = own.shown.map((shown) => itemOf(controller, shown, revert ? { revert: revert(shown) } : {}));
  const others: TimelineItem[] = [];
  if (hooks.timeline.isUsed())
    await hooks.timeline.promise(others, { controller, record, before: before?.at, limit: limit + 1 });
  const isNext = (item: TimelineItem) => !before || compareItems(item, before) > 0;
  const isRead = (item: TimelineItem) => !own.resume || compareItems(item, own.resume) <= 0;
  const all = [...items, ...others.filter(isNext)].filter(isRead).sort(compareItems);
  const page = all.slice(0, limit);
  return { items: page, next: all.length > limit ? page.at(-1) : own.resume };
}

async function ownEntries(
  store: HistoryStore,
  controller: ResourceRequest,
  record: BaseModel,
  before: ItemCursor | undefined,
  limit: number,
): Promise<{ shown: ShownEntry[]; resume: ItemCursor | undefined }> {
  const filter = entriesOf(controller, record);
  const shown: ShownEntry[] = [];
  if (!filter) return { shown, resume: undefined };
  const of: ShownRecord = { controller, record, isDeleted: false, names: readableNames(controller, record) };
  const birth = await birthOf(store, filter);
  let cursor = entryCursor(before);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const read = await store.read({ ...filter, before: cursor, limit });
    const rows = read.filter((entry) => isSince(birth, entry));
    shown.push(...(await shownEntries(rows.map((entry) => ({ entry, of })))));
    cursor = rows.at(-1);
    if (rows.length < limit) return { shown, resume: undefined };
    if (shown.length >= limit) return { shown: shown.slice(0, limit), resume: undefined };
  }
  return { shown, resume: cursor && { at: cursor.at, key: `history:${cursor.id}` } };
}

/** The newest change of a record that the person may see. */
export async function lastEntry(
  store: HistoryStore,
  controller: ResourceRequest,
  record: BaseModel,
): Promise<ShownEntry | undefined> {
  return (await ownEntries(store, controller, record, undefined, 1)).shown[0];
}
