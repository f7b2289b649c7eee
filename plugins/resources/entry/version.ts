import type { BaseModel, ModelInfo } from "framewright/plugins/database";

/** The version of an instance for the stale check. */
export const versionOf = (record: BaseModel, model: ModelInfo): string => model.versionOf(valuesOf(record));
/** Whether a record still is as it was when a page was drawn with this version. */
export const isVersion = (asked: string, record: BaseModel, model: ModelInfo): boolean =>
  model.isVersion(asked, valuesOf(record));
const valuesOf = (record: BaseModel) => (name: string) => Reflect.get(record, name) as unknown;

export const etagOf = (version: string): string => `"${version}"`;

/** The version that a request was made for: `If-Match`, else the form's `lock_version`; undefined when it names none. */
export function requestedVersion(ifMatch: string | undefined, field: unknown): string | undefined {
  if (ifMatch !== undefined && ifMatch !== "*") return ifMatch.trim().replace(/^W\//, "").replaceAll('"', "");
  return typeof field === "string" && field !== "" ? field : typeof field === "number" ? String(field) : undefined;
}
