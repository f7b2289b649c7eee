import type { KeyValue } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { type Entry, entriesOfRows, loadHandled, readRecords, readsRows } from "framewright/plugins/resources/toolkit";
import type { Owner } from "./include.ts";

/** What is included with an owner, and what more can be included with that. */
export interface Found {
  readonly json: unknown;
  readonly owners: readonly Owner[];
}

/** The records of a resource with these keys that the person may see, with what these names need. */
export async function readEntries(
  reader: ResourceRequest,
  keys: readonly (KeyValue | undefined)[],
  names: readonly string[],
): Promise<readonly Entry[]> {
  const { model } = reader.registration;
  const wanted = [...new Set(keys.filter((key) => key !== undefined))];
  if (wanted.length === 0) return [];
  const loaded = reader.loadedFor(names);
  const query = model.key.whereIn(reader.visibleRecords(), wanted);
  const entries = readsRows(reader, loaded)
    ? await entriesOfRows(reader, await reader.resources.database.readRows(model, query, loaded))
    : await readRecords(reader, query, loaded);
  await loadHandled(reader, entries, names);
  return entries;
}

export const byKey = (entries: readonly Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [String(entry.id), entry]));
