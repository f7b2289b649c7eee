import { hash } from "node:crypto";

/** What of a model the version of a row is computed from. */
interface Versioned {
  readonly columns: ReadonlyMap<string, unknown>;
  readonly isVersioned: boolean;
  readonly paramKey: string;
  readonly primaryKey: string;
}
type ValueAt = (column: string) => unknown;

/**
 * The version of a row for the stale check, from the values of columns as an instance would have them: its `lock_version`,
 * else a digest of all. Where another record may get the address, the version distinguishes the two.
 */
export function versionOf({ columns, isVersioned, paramKey, primaryKey }: Versioned, valueAt: ValueAt): string {
  if (isVersioned) {
    const version = String(valueAt("lock_version"));
    return paramKey === primaryKey ? version : `${String(valueAt(primaryKey))}-${version}`;
  }
  let bytes: Buffer[] | undefined;
  let text = "";
  let updatedAt: unknown;
  for (const name of columns.keys()) {
    const value = valueAt(name);
    if (name === "updated_at") updatedAt = value;
    if (Buffer.isBuffer(value)) {
      bytes = [...(bytes ?? []), Buffer.from(text), value];
      text = "\0";
    } else text += `${value instanceof Date ? value.toISOString() : typeof value + JSON.stringify(value)}\0`;
  }
  const whole = bytes ? Buffer.concat([...bytes, Buffer.from(text)]) : text;
  return `${shortHash(whole, DIGEST_CHARS)}.${columnsMark(columns)}.${timeMark(updatedAt)}`;
}

const DIGEST_CHARS = 16;
const shortHash = (whole: string | Buffer, length: number): string => hash("sha1", whole, "base64url").slice(0, length);

/** Module-level: found by the columns of a table, and freed with them: which columns a digest is of. */
const marks = new WeakMap<object, string>();
function columnsMark(columns: Versioned["columns"]): string {
  const mark = marks.get(columns) ?? shortHash([...columns.keys()].join("\0"), 6);
  marks.set(columns, mark);
  return mark;
}
const timeMark = (value: unknown): string => (value instanceof Date ? value.getTime().toString(36) : "");

/**
 * Whether a row still is as it was when a page was drawn with this version. The page may be of another release, whose table
 * had other columns: what its digest is of is not known then, and the time of the last update decides.
 */
export function isVersion(asked: string, model: Versioned, valueAt: ValueAt): boolean {
  const now = versionOf(model, valueAt);
  if (asked === now || (asked.length === DIGEST_CHARS && now.startsWith(`${asked}.`))) return true; // the latter without its columns
  const [, mark, time] = asked.split(".");
  return (
    mark !== undefined && mark !== columnsMark(model.columns) && time !== "" && time === timeMark(valueAt("updated_at"))
  );
}
