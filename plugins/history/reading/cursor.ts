import type { TimeZone } from "framewright/host";
import type { HistoryCursor, TimelineItem } from "../contract.ts";

/** Where a page of a timeline begins: what comes before this item. */
export type ItemCursor = Pick<TimelineItem, "at" | "key">;

export const OWN = "history";
const KEY = /^(\d{1,15})_([a-z][\w-]{0,60}:[^\s]{1,150})$/i;
const OWN_KEY = /^history:\d{1,15}$/;
/** The last instant that databases keep. */
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
/** Days whose beginning and end every database can store. */
const DAY = /^(?!9999-12-31)[1-9]\d{3}-\d{2}-\d{2}$/;

export const cursorText = ({ at, key }: ItemCursor): string => `${at.getTime()}_${key}`;
export function cursorOf(given: unknown): ItemCursor | undefined {
  const [, at, key] = (typeof given === "string" && KEY.exec(given)) || [];
  if (at === undefined || key === undefined || Number(at) > LAST) return undefined;
  if (key.startsWith(`${OWN}:`) && !OWN_KEY.test(key)) return undefined;
  return { at: new Date(Number(at)), key };
}

/** When a day of an address begins and ends; undefined for what is none. */
export function boundsOf(zone: TimeZone, day: unknown): { readonly start: Date; readonly end: Date } | undefined {
  if (typeof day !== "string" || !DAY.test(day)) return undefined;
  const [start, end] = [zone.dayStart(day), zone.dayStart(day, 1)];
  return start && end && { start, end };
}

/** The newest first; of one instant by the names of plugins, then by their ids. */
export function compareItems(one: ItemCursor, other: ItemCursor): number {
  const [[source, id], [otherSource, otherId]] = [partsOf(one.key), partsOf(other.key)];
  if (one.at.getTime() !== other.at.getTime()) return other.at.getTime() - one.at.getTime();
  if (source !== otherSource) return source < otherSource ? 1 : -1;
  return otherId.localeCompare(id, "en", { numeric: true });
}

/** The same place among the entries of the table. */
export function entryCursor(before: ItemCursor | undefined): HistoryCursor | undefined {
  if (!before) return undefined;
  const [source, id] = partsOf(before.key);
  if (source === OWN) return { at: before.at, id: Number(id) };
  return { at: before.at, id: source > OWN ? Number.MAX_SAFE_INTEGER : 0 };
}

/** Whether an entry is of the record that was created then; what came before is another one's that had its key. */
export const isSince = (birth: HistoryCursor | undefined, { at, id }: HistoryCursor): boolean =>
  birth === undefined || at > birth.at || (at.getTime() === birth.at.getTime() && id >= birth.id);

function partsOf(key: string): [source: string, id: string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}
