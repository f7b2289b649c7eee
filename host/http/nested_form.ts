import type { ParamObject, ParamValue } from "./params.ts";

/** A form has this many fields at most: 200 rows of ten, and what each of them carries. */
export const MAX_FIELDS = 5000;
const MAX_DEPTH = 8;
const MAX_NAME_CHARS = 200;
/** The most values of one name. */
const MAX_VALUES = 200;
/** `post[lines][0][text]`, `post[lines][0][files][]`. */
const NESTED = /^[a-z_]\w*(?:(?:\[|%5B)[\w-]+(?:\]|%5D))*(?:(?:\[|%5B)(?:\]|%5D))?$/i;
const FORBIDDEN = /^(?:__proto__|constructor|prototype)$/;
const INDEX = /^(?:0|[1-9]\d{0,2})$/;
/** Larger indices are those of no form. */
const FAR = /^\d{4,}$/;

/** The result of qs for plain nested names, at a cost of what it reads; undefined for any other form. */
export function parseNested(text: string, decode: (part: string) => string): ParamObject | undefined {
  const values = Object.create(null) as ParamObject;
  const pairs = text.split("&", MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) return undefined;
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const path = pathOf(pair.slice(0, Math.max(equals, 0)));
    if (!path || !put(values, path, decode(pair.slice(equals + 1)))) return undefined;
  }
  return withLists(values) as ParamObject;
}

function pathOf(name: string): string[] | undefined {
  if (name.length > MAX_NAME_CHARS || !NESTED.test(name)) return undefined;
  const path = name.split(/\[|%5B/i).map((part) => part.replace(/(?:\]|%5D)$/i, ""));
  return path.length > MAX_DEPTH + 1 || path.some((part) => FORBIDDEN.test(part) || FAR.test(part)) ? undefined : path;
}

/** Values of one name are a list, as a checkbox and its hidden "off" send two; false where the name has values below it, or they below a value. */
function put(values: ParamObject, names: readonly string[], value: string): boolean {
  const isList = names.at(-1) === "";
  const path = isList ? names.slice(0, -1) : names;
  let at = values;
  for (const part of path.slice(0, -1)) {
    at[part] ??= Object.create(null) as ParamObject;
    const inner = at[part];
    if (typeof inner !== "object" || Array.isArray(inner)) return false;
    at = inner as ParamObject;
  }
  const last = path.at(-1)!;
  const earlier = at[last];
  if (earlier === undefined) at[last] = isList ? [value] : value;
  else if (typeof earlier === "string") at[last] = [earlier, value];
  else if (Array.isArray(earlier) && earlier.length < MAX_VALUES) earlier.push(value);
  else return false;
  return true;
}

/** Objects whose keys are all indices are lists. */
function withLists(value: ParamValue): ParamValue {
  if (typeof value !== "object" || value === null) return value;
  const entries = value as ParamObject;
  const keys = Object.keys(entries);
  for (const key of keys) entries[key] = withLists(entries[key]!);
  return keys.length > 0 && keys.every((key) => INDEX.test(key)) ? Object.values(entries) : entries;
}
