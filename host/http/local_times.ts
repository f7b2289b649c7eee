import { badRequest } from "../errors.ts";
import { type TimeZone, zoneOf } from "../support/time_zone.ts";
import { isParamObject, type ParamObject, type ParamValue } from "./params.ts";

const PREFIX = "_zone_";
const WALL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** The name of the hidden field that says of which zone an input is: `post[starts_at]` has `_zone_post[starts_at]`. */
export const zoneField = (inputName: string): string => PREFIX + inputName;
/** Its value: the zone, and the moment that the input begins with. */
export const zoneValue = (zone: TimeZone, at: Date | undefined): string =>
  at ? `${zone.name} ${at.toISOString()}` : zone.name;

/**
 * Writes the moments of a form, which its inputs have as clocks show them, in UTC: `2026-07-01T14:00` of a field in Berlin
 * becomes `2026-07-01T12:00:00.000Z`. One that was not changed stays to the millisecond, also in the hour that clocks show
 * twice. The fields that say so are taken out.
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

function inUtc(given: ParamValue, said: ParamValue): ParamValue {
  if (typeof given === "string")
    return typeof said === "string" && WALL_TIME.test(given) ? momentOf(given, said) : given;
  if (isNested(given) && isNested(said))
    for (const key of Object.keys(said)) if (Object.hasOwn(given, key)) given[key] = inUtc(given[key]!, said[key]!);
  return given;
}

/** Lists too, which have their entries by index. */
const isNested = (value: ParamValue): value is ParamObject => Array.isArray(value) || isParamObject(value);

function momentOf(text: string, said: string): string {
  const [name, begun] = said.split(" ", 2);
  const zone = zoneOf(name);
  if (!zone) throw badRequest("a form names a time zone that does not exist.");
  const before = new Date(begun ?? "");
  const isUnchanged = !Number.isNaN(before.getTime()) && zone.inputTime(before) === text.replace(" ", "T");
  if (isUnchanged) return before.toISOString();
  return zone.moment(text)?.toISOString() ?? text;
}
