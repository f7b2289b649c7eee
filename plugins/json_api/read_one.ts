import type { ResourceRequest } from "framewright/plugins/resources";
import type { Entry } from "framewright/plugins/resources/toolkit";
import { firstKeys } from "./first_keys.ts";
import type { IncludeSource, Owner } from "./include.ts";
import { controllerAt, type IncludePlace, isAuthorized, readerAt } from "./place.ts";
import { byKey, type Found, readEntries } from "./read_entries.ts";

/** Of each owner the record that an association leads to, as its own address has it; null where there is none that the person may see. */
export async function readOne(
  { source }: IncludeSource,
  place: IncludePlace,
  owners: readonly Owner[],
): Promise<{ reader: ResourceRequest; found: Found[] }> {
  const reader = readerAt(source, place);
  const keys = await keysOf(source, reader, place, owners);
  const own = namesWithoutRecord(reader);
  const names = new Set(own);
  const shown: (Shown | undefined)[] = [];
  const read = byKey(await readEntries(reader, keys, own));
  for (const [at, owner] of owners.entries()) {
    const one = await shownOf(source, place, owner, read.get(String(keys[at])));
    for (const name of one?.names ?? []) names.add(name);
    shown.push(one);
  }
  const whole = names.size > own.length ? byKey(await readEntries(reader, keys, [...names])) : read; // some records show more than others
  const found = shown.map((one): Found => {
    const entry = one && whole.get(String(one.entry.id));
    if (!entry) return { json: null, owners: [] };
    const row = entry.json(place.about.registration.jsonPlan(one.names));
    return { json: row, owners: [{ entry, row, names: one.names }] };
  });
  return { reader, found };
}

/** The keys of the records; undefined for none. */
async function keysOf(source: ResourceRequest, reader: ResourceRequest, place: IncludePlace, owners: readonly Owner[]) {
  const { association } = place;
  if (association.kind === "belongsTo") return owners.map(({ entry }) => association.key.of(entry.record) ?? undefined);
  const queries = owners.map(({ entry }) => controllerAt(source, place, entry.record).visibleRecords().limit(1));
  return (await firstKeys(reader, queries)).map(([key]) => key);
}

/** The names that a page shows, as far as they don't depend on the record. */
function namesWithoutRecord(reader: ResourceRequest): readonly string[] {
  try {
    return reader.listOf("Show");
  } catch {
    return [];
  }
}

interface Shown {
  readonly entry: Entry;
  readonly names: readonly string[];
}

/** The record with what its page shows; undefined where the policy does not allow it. */
async function shownOf(
  source: ResourceRequest,
  place: IncludePlace,
  { entry: owner }: Owner,
  entry: Entry | undefined,
): Promise<Shown | undefined> {
  if (!entry) return undefined;
  const controller = controllerAt(source, place, place.about.parent && owner.record);
  controller.record = entry.record;
  if (!(await isAuthorized(controller.authorizeAction("show", entry.record)))) return undefined;
  return { entry, names: controller.listOf("Show", entry.record) };
}
