import { hash } from "node:crypto";
import { type BaseModel, type ModelInfo, oncePerColumns } from "framewright/plugins/database";

/** The version of an instance for the stale check: its `lock_version`, else a digest of its whole row. */
export function versionOf(record: BaseModel, model: ModelInfo): string {
  const values = record as unknown as Record<string, unknown>;
  return digestOf(model, (name) => values[name]);
}

/**
 * As `versionOf`, from the values of columns as an instance would have them. Where another record may get the address, the
 * version tells the two apart.
 */
export function digestOf(model: ModelInfo, valueAt: (name: string) => unknown): string {
  const { columns, paramKey, primaryKey } = model;
  if (model.isVersioned) {
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
  return `${shortHash(whole, DIGEST_CHARS)}.${columnsMark(model)}.${timeMark(updatedAt)}`;
}

const DIGEST_CHARS = 16;
const shortHash = (whole: string | Buffer, length: number): string => hash("sha1", whole, "base64url").slice(0, length);
/** Which columns a digest is of. */
const columnsMark = oncePerColumns(({ columns }) => shortHash([...columns.keys()].join("\0"), 6));
const timeMark = (value: unknown): string => (value instanceof Date ? value.getTime().toString(36) : "");

/**
 * Whether a record still is as it was when a page was made with this version. The page may be of another release, whose
 * table had other columns: what its digest is of is not known then, and the time of the last update decides.
 */
export function isVersion(asked: string, record: BaseModel, model: ModelInfo): boolean {
  const now = versionOf(record, model);
  if (asked === now || (asked.length === DIGEST_CHARS && now.startsWith(`${asked}.`))) return true; // the latter without its columns
  const [, mark, time] = asked.split(".");
  const { updated_at } = record as { updated_at?: unknown };
  return mark !== undefined && mark !== columnsMark(model) && time !== "" && time === timeMark(updated_at);
}

export const etagOf = (version: string): string => `"${version}"`;

/** The version that a request was made for: `If-Match`, else the form's `lock_version`; undefined when it names none. */
export function requestedVersion(ifMatch: string | undefined, field: unknown): string | undefined {
  if (ifMatch !== undefined && ifMatch !== "*") return ifMatch.trim().replace(/^W\//, "").replaceAll('"', "");
  return typeof field === "string" && field !== "" ? field : typeof field === "number" ? String(field) : undefined;
}
