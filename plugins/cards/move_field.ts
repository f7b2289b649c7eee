import { addToOrigin, HttpError, notFound, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { ORIGINALS } from "framewright/plugins/fields";
import { hidden } from "framewright/plugins/fields/toolkit";
import { isAllowed, type ResourceRequest } from "framewright/plugins/resources";
import {
  type Entry,
  recordEntry,
  recordFields,
  refuseUnknownKeys,
  saveRecord,
  versionOf,
  withoutKeys,
} from "framewright/plugins/resources/toolkit";

/** Whether the person may write a column of a record, as its form would. */
export function mayWrite(controller: ResourceRequest, entry: Entry, by: string): boolean {
  const { registration, resources } = controller;
  const policy = entry.policy();
  if (!isAllowed(policy, "canUpdate")) return false;
  const permitted = resources.fields(registration.permitted(policy, "Update"), registration, controller);
  if (!withoutKeys(controller, permitted).includes(by)) return false;
  if (!registration.attribute(by).input.condition) return true;
  return recordFields(controller, entry.record, withoutKeys(controller, permitted), undefined).contexts.has(by);
}

/** The version of no record: whether the value is still the one that was shown is looked at each time. */
const NO_VERSION = "-";
/** What a form states about the value that it began with; that the record was changed elsewhere does not matter. */
export const fieldMarks = (marks: string): string => hidden("lock_version", NO_VERSION) + hidden(ORIGINALS, marks);

/**
 * Writes one field of a record that was moved in a shape of its list; `stale` is reported where somebody else was faster. For people
 * a refusal is shown on the page that they come from. @throws HttpError 404, 409, 422 for programs
 */
export async function moveField(
  controller: ResourceRequest,
  record: BaseModel,
  { by, stale: changed }: { by: string; stale: string },
): Promise<Reply> {
  addToOrigin({ means: "move" });
  const { registration, request } = controller;
  const isListed = controller.listOf("Index").includes(by);
  if (!isListed || !mayWrite(controller, recordEntry(controller, record), by)) throw notFound();
  refuseUnknownKeys(controller, [registration.key, "lock_version", ORIGINALS]);
  const saved = await saveRecord(controller, record, by);
  if ("record" in saved) return controller.answerUpdated(saved.record);
  const { stale, errors } = saved;
  const reasons = Object.values(errors).flat().join(" ");
  const text = stale ? changed : reasons || controller.t("resource.invalid");
  if (request.format === "json") {
    const headers: Record<string, string> = stale ? { etag: `"${versionOf(stale, registration.model)}"` } : {};
    throw new HttpError(stale ? 409 : 422, stale ? "FW_STALE" : "FW_INVALID", text, { fields: errors, headers });
  }
  controller.flash.add("error", text);
  return controller.redirectTo(controller.returnTo() ?? controller.listUrl);
}
