import { createHash } from "node:crypto";
import { HttpError } from "framewright";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";

/** The version of a record for the stale check: its `lock_version`, else a digest of all that its row holds. */
export function versionOf(record: BaseModel, model: ModelInfo): string {
  const values = record as unknown as Record<string, unknown>;
  if (model.columns.has("lock_version")) return String(values.lock_version);
  const hash = createHash("sha1");
  for (const name of model.columns.keys()) {
    const value = values[name];
    hash.update(
      value instanceof Date
        ? value.toISOString()
        : Buffer.isBuffer(value)
          ? value
          : `${typeof value}${JSON.stringify(value)}`,
    );
    hash.update("\0");
  }
  return hash.digest("base64url").slice(0, 16);
}

export const etagOf = (version: string): string => `"${version}"`;

/** The version that a request was made for: `If-Match`, else the form's `lock_version`; undefined when it names none. */
export function versionAsked(ifMatch: string | undefined, field: unknown): string | undefined {
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
