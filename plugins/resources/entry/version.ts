import { hash } from "node:crypto";
import { HttpError } from "framewright/host";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";

/** The version of an instance for the stale check: its `lock_version`, else a digest of its whole row. */
export function versionOf(record: BaseModel, model: ModelInfo): string {
  const values = record as unknown as Record<string, unknown>;
  return digestOf(model, (name) => values[name]);
}

/**
 * As `versionOf`, from the values of columns as an instance would have them. Where another record may get the address, the
 * version tells the two apart.
 */
export function digestOf({ columns, paramKey, primaryKey }: ModelInfo, valueAt: (name: string) => unknown): string {
  if (columns.has("lock_version")) {
    const version = String(valueAt("lock_version"));
    return paramKey === primaryKey ? version : `${String(valueAt(primaryKey))}-${version}`;
  }
  const bytes: Buffer[] = [];
  let text = "";
  for (const name of columns.keys()) {
    const value = valueAt(name);
    if (Buffer.isBuffer(value)) {
      bytes.push(Buffer.from(text), value);
      text = "\0";
    } else text += `${value instanceof Date ? value.toISOString() : typeof value + JSON.stringify(value)}\0`;
  }
  const whole = bytes.length === 0 ? text : Buffer.concat([...bytes, Buffer.from(text)]);
  return hash("sha1", whole, "base64url").slice(0, 16);
}

export const etagOf = (version: string): string => `"${version}"`;

/** The version that a request was made for: `If-Match`, else the form's `lock_version`; undefined when it names none. */
export function requestedVersion(ifMatch: string | undefined, field: unknown): string | undefined {
  if (ifMatch !== undefined && ifMatch !== "*") return ifMatch.trim().replace(/^W\//, "").replaceAll('"', "");
  return typeof field === "string" && field !== "" ? field : typeof field === "number" ? String(field) : undefined;
}

/** Somebody else changed the record meanwhile: carries what is stored now. */
export class StaleRecord extends HttpError {
  readonly current: BaseModel;
  constructor(current: BaseModel, message: string) {
    super(409, "FW_STALE", message);
    this.current = current;
  }
}
