import { badRequest } from "../errors.ts";
import { type TimeZone, zoneOf } from "../support/time_zone.ts";
import { isParamObject, type ParamObject, type ParamValue } from "./params.ts";

const PREFIX = "_zone_";
const WALL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** The name of the hidden field that names the zone of an input: `post[starts_at]` has `_zone_post[starts_at]`. */
export const zoneField = (inputName: string): string => PREFIX + inputName;
/** Its value: the zone, and the moment that the input begins with. */
export const zoneValue = (zone: TimeZone, at: Date | undefined): string =>
  at ? `${zone.name} ${at.toISOString()}` : zone.name;

/**
 * Writes the moments of a form, which its inputs have as clocks show them, in UTC: `2026-07-01T14:00` of a field in Berlin
 * becomes `2026-07-01T12:00:00.000Z`. One that was not changed stays to the millisecond, also in the hour that clocks show
 * twice. Their hidden fields are taken out.
 * @throws HttpError 400 for a zone that does not exist
 */
export function readLocalTimes(values: ParamObject): ParamObject {
  for (const name of Object.keys(values)) {
    if (!name.startsWith(PREFIX)) continue;
    const own = name.slice(PREFIX.length);
    const given = values[own];
    if (given !== undefined) values[own] = inUtc(given, values[name]!);
    delete values[name];
  }
  return values;
}

function inUtc(given: ParamValue, zone: ParamValue): ParamValue {
  if (typeof given === "string")
    return typeof zone === "string" && WALL_TIME.test(given) ? momentOf(given, zone) : given;
  if (isNested(given) && isNested(zone))
    for (const key of Object.keys(zone)) if (Object.hasOwn(given, key)) given[key] = inUtc(given[key]!, zone[key]!);
  return given;
}

/** Lists too, which have their entries by index. */
const isNested = (value: ParamValue): value is ParamObject => Array.isArray(value) || isParamObject(value);

function momentOf(text: string, value: string): string {
  const [name, initial] = value.split(" ", 2);
  const zone = zoneOf(name);
  if (!zone) throw badRequest("a form names a time zone that does not exist.");
  const before = new Date(initial ?? "");
  const isUnchanged = !Number.isNaN(before.getTime()) && zone.inputTime(before) === text.replace(" ", "T");
  if (isUnchanged) return before.toISOString();
  return zone.moment(text)?.toISOString() ?? text;
}
