import { Params } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { applyList, applyOrder, listContextOf, requestedList } from "framewright/plugins/resources/toolkit";
import { firstKeys } from "./first_keys.ts";
import type { IncludeSource, Owner } from "./include.ts";
import { controllerAt, type IncludePlace, isAuthorized, readerAt } from "./place.ts";
import type { Found } from "./read_entries.ts";
import { byKey, readEntries } from "./read_entries.ts";

/** How many records of one association a request includes, of all records of a page together. */
const MAX_ROWS = 1000;

/** Of each owner the first records of its nested list, as that list has them; undefined where the person may not see it. */
export async function readMany(
  { source, limits }: IncludeSource,
  place: IncludePlace,
  owners: readonly Owner[],
): Promise<{ reader: ResourceRequest; found: (Found | undefined)[] }> {
  const reader = readerAt(source, place);
  const most = Math.max(1, Math.min(limits.rows, Math.floor(MAX_ROWS / Math.max(1, owners.length))));
  const lists: (NestedList | undefined)[] = [];
  for (const owner of owners) lists.push(await nestedList(source, place, owner));
  const queries = lists.map((list) => list?.query.limit(most + 1));
  const keys = await firstKeys(reader, queries);
  const names = [...new Set(lists.flatMap((list) => list?.names ?? []))];
  const read = byKey(await readEntries(reader, keys.flat(), names));
  const found = lists.map((list, at): Found | undefined => {
    if (!list) return undefined;
    const plan = place.about.registration.jsonPlan(list.names);
    const shown = keys[at]!.slice(0, most).flatMap((key) => read.get(String(key)) ?? []);
    const within = shown.map((entry) => ({ entry, row: entry.json(plan), names: list.names }));
    const meta = { more: keys[at]!.length > most, url: list.url };
    return { json: { data: within.map(({ row }) => row), meta }, owners: within };
  });
  return { reader, found };
}

interface NestedList {
  readonly names: readonly string[];
  readonly query: Query<BaseModel>;
  readonly url: string;
}

/** The nested list of an owner, without any parameters. */
async function nestedList(
  source: ResourceRequest,
  place: IncludePlace,
  { entry }: Owner,
): Promise<NestedList | undefined> {
  const controller = controllerAt(source, place, entry.record);
  if (!(await isAuthorized(controller.authorizeAction("index")))) return undefined;
  const names = controller.listOf("Index");
  const list = requestedList(controller, names, new Params());
  const context = listContextOf(controller);
  const query = controller.visibleRecords();
  applyList(query, list, controller.registration, context);
  applyOrder(query, list.sorts, controller.registration, context);
  const suffix = /\.json(?:\?|$)/.test(source.request.raw.url ?? "") ? ".json" : "";
  return { names, query, url: controller.listUrl + suffix };
}
