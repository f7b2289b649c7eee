import type { BaseController } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import { loadRelatedLabels } from "framewright/plugins/resources/toolkit";
import type { HistoryCursor, HistoryFilter, StoredEntry } from "../contract.ts";
import type { HistoryStore } from "../store.ts";
import { areDeletedOpen, controllerFor, mayReadWithout, readableNames, tenantOf } from "./access.ts";
import { isSince } from "./cursor.ts";
import { deletedOf } from "./ghosts.ts";
import { type OpenEntry, type ShownEntry, type ShownRecord, shownEntries } from "./shown_changes.ts";

/** How often more is read where what was read is hidden. */
const MAX_ROUNDS = 5;

/** Entries of several models that the person may see, and where the next ones begin. */
export interface PortalEntries {
  readonly shown: readonly ShownEntry[];
  readonly next: HistoryCursor | undefined;
}

/** The changes of a portal's resources as the person of a request may see them now, the newest first. */
export async function portalEntries(
  store: HistoryStore,
  page: BaseController,
  models: ReadonlyMap<string, Registration>,
  filter: HistoryFilter & { readonly limit: number },
): Promise<PortalEntries> {
  const tenant = tenantOf(page);
  const names = (filter.models ?? [...models.keys()]).filter((name) => models.has(name));
  if (tenant === null || names.length === 0) return { shown: [], next: undefined };
  const where = { ...filter, models: names, ...(tenant === undefined ? {} : { tenant }) };
  const shown: ShownEntry[] = [];
  let before = filter.before;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const rows = await store.read({ ...where, before, limit: filter.limit });
    const found = await shownEntries(await openEntries(store, page, models, rows));
    for (const one of found) {
      shown.push(one);
      if (shown.length === filter.limit) return { shown, next: one.entry };
    }
    if (rows.length < filter.limit) return { shown, next: undefined };
    before = rows.at(-1);
  }
  return { shown, next: before };
}

/** Those of records that the person may see, with what they may read of each. */
async function openEntries(
  store: HistoryStore,
  page: BaseController,
  models: ReadonlyMap<string, Registration>,
  entries: readonly StoredEntry[],
) {
  const open = new Map<StoredEntry, OpenEntry>();
  for (const registration of new Set(models.values())) {
    const { key, class: cls, table } = registration.model;
    const own = entries.filter(
      ({ model, record }) => models.get(model) === registration && key.parse(record) !== undefined,
    );
    if (own.length === 0) continue;
    const controller = controllerFor(page, registration);
    const { database } = controller.resources;
    const names = [...new Set(own.map(({ record }) => record))];
    const keys = names.flatMap((name) => key.parse(name) ?? []);
    const visibleRows = key.whereIn(controller.resources.visible(controller, registration.model), keys);
    const rows = await database.read(visibleRows, cls.labelAssociations);
    await loadRelatedLabels(controller, rows, registration.model, cls.labelAssociations);
    const stored = await key.whereIn(database.query(cls).select([...key.names]), keys);
    const family = database.models().filter((model) => model.table === table);
    const constants = family.map(({ constant }) => constant);
    const births = await store.births(constants, names);
    const visible = new Map(rows.map((row) => [String(ModelInfo.keyOf(row)), row]));
    const present = new Set(stored.map((row) => String(key.of(row))));
    const isOfNow = (entry: StoredEntry) => present.has(entry.record) && isSince(births.get(entry.record), entry);
    const gone = own.filter((entry) => !isOfNow(entry)).map(({ record }) => record);
    const deletions = gone.length > 0 ? await store.deletions(constants, [...new Set(gone)]) : [];
    const known = new Map<string, ShownRecord | undefined>();
    for (const entry of own) {
      const { record } = entry;
      const isStored = isOfNow(entry);
      // what a policy decides by is the whole record, which a change of one field does not have
      const end = isStored ? undefined : deletions.find((one) => one.record === record && isSince(entry, one));
      const name = `${record} ${end?.id}`;
      if (!known.has(name)) known.set(name, shownRecord(controller, isStored ? visible.get(record) : undefined, end));
      const of = known.get(name);
      if (of) open.set(entry, { entry, of });
    }
  }
  return entries.flatMap((entry) => open.get(entry) ?? []);
}

/** A record that is there, or one that an entry reports as deleted; undefined where the person may not see it, or nothing records what it was. */
function shownRecord(
  controller: ReturnType<typeof controllerFor>,
  found: BaseModel | undefined,
  end: StoredEntry | undefined,
): ShownRecord | undefined {
  const { registration, resources } = controller;
  const record = found ?? (end && deletedOf(resources.database.model(end.model), end));
  if (!record) return undefined;
  const isOpen = found
    ? mayReadWithout(controller, registration, record)
    : areDeletedOpen(controller, registration.model, record);
  return isOpen ? { controller, record, isDeleted: !found, names: namesOf(controller, record) } : undefined;
}

/** What may be read of a record; of a deleted one a policy may not know what to answer: nothing then. */
function namesOf(controller: ReturnType<typeof controllerFor>, record: BaseModel): readonly string[] {
  try {
    return readableNames(controller, record);
  } catch {
    return [];
  }
}
