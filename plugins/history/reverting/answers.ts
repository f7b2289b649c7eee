import { csrfInput, type FieldErrors, HttpError, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { fieldLabel, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { chrome, versionOf } from "framewright/plugins/resources/toolkit";
import type { StoredEntry } from "../contract.ts";
import { historyUrl } from "../reading/record_pages.ts";
import { shownEntries } from "../reading/shown_changes.ts";
import type { Revertable } from "./revertable.ts";

/** What a request takes back. */
export interface Reverting {
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
  readonly entry: StoredEntry;
  readonly parts: readonly Revertable[];
}
/** 409: what is stored now beside what the change had made, and a form that replaces it all the same. */
export async function conflict({ controller, record, entry, parts }: Reverting): Promise<Reply> {
  if (controller.request.format === "json") throw new HttpError(409, "FW_STALE", controller.t("history.revert.stale"));
  const names = parts.map(({ attribute }) => attribute.name);
  const changes = Object.fromEntries(
    parts.flatMap(({ from }) =>
      Object.entries(from).map(([name, value]) => [name, { from: stored(record, name), to: value }]),
    ),
  );
  const [shown] = await shownEntries([
    { entry: { ...entry, changes }, of: { controller, record, isDeleted: false, names } },
  ]);
  const url = `${historyUrl(controller, record)}/${entry.id}/revert`;
  const form = {
    url,
    csrf: csrfInput(controller.request, url),
    field: controller.request.body.get("field"),
    version: versionOf(record, controller.registration.model),
    cancel: historyUrl(controller, record),
  };
  const title = controller.t("history.revert.newer");
  const rows = (shown?.changes ?? []).map(({ label, html: value }) => ({ label, value }));
  return controller.render("history/conflict", {
    status: 409,
    locals: { ...chrome(controller, { title, trail: trailOf(controller, record) }), rows, form },
  });
}

export function refused({ controller, record }: Reverting, errors: FieldErrors): Reply {
  if (controller.request.format === "json")
    throw new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields: errors });
  const { registration } = controller;
  const problems = Object.entries(errors).map(([name, texts]) => ({
    label: name === "base" ? "" : fieldLabel(controller, registration, registration.attribute(name), "display"),
    text: texts.join(" "),
  }));
  const title = controller.t("history.revert.refused");
  const locals = {
    ...chrome(controller, { title, trail: trailOf(controller, record) }),
    problems,
    back: historyUrl(controller, record),
  };
  return controller.render("history/refused", { status: 422, locals });
}

const stored = (record: BaseModel, name: string): unknown => Reflect.get(record, name) ?? null;
const trailOf = (controller: ResourceRequest, record: BaseModel) => [
  { label: labelOf(controller, record), url: controller.urlFor(record) },
  { label: controller.t("history.title"), url: historyUrl(controller, record) },
];
