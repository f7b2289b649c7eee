import {
  addToOrigin,
  csrfInput,
  type FieldErrors,
  HttpError,
  html,
  notFound,
  type Reply,
  type SafeHtml,
} from "framewright/host";
import { type BaseModel, type ModelInfo, type Transaction, ValidationError } from "framewright/plugins/database";
import { allows, fieldLabel, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import {
  chrome,
  confirmActions,
  fieldErrors,
  lockRecord,
  report,
  requestedVersion,
  versionOf,
} from "framewright/plugins/resources/toolkit";
import type { StoredEntry } from "../contract.ts";
import { isSince } from "../reading/cursor.ts";
import type { RevertButtons } from "../reading/draw_entry.ts";
import type { Values } from "../reading/ghosts.ts";
import { historyUrl, readableRecord } from "../reading/record_pages.ts";
import { type ShownEntry, shownEntries } from "../reading/shown_changes.ts";
import { birthOf, entriesOf } from "../reading/timeline.ts";
import type { HistoryStore } from "../store.ts";
import { hasValues, type Revertable, revertables } from "./revertable.ts";

/** What a request takes back. */
interface Reverting {
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
  readonly entry: StoredEntry;
  readonly parts: readonly Revertable[];
}
type Written = { readonly record: BaseModel } | { readonly stale: BaseModel } | { readonly errors: FieldErrors };

/** Takes a change of a record back, or one field of it, as its form would write it. */
export class Reverts {
  readonly #store: HistoryStore;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  /** The buttons that take a change back, by field, and that of all fields; none where the person may not, or the record has these values. */
  buttons(controller: ResourceRequest, { entry, of }: ShownEntry): RevertButtons {
    const { record } = of;
    const fields = new Map<string, SafeHtml>();
    if (of.isDeleted || !allows(controller.policyFor(record), "update")) return { fields, all: undefined };
    const { model } = controller.registration;
    const found = revertables(controller, record, entry).filter(({ from }) => !hasValues(model, record, from));
    const url = `${historyUrl(controller, record)}/${entry.id}/revert`;
    for (const { attribute } of found) {
      const field = fieldLabel(controller, controller.registration, attribute, "display");
      const about = controller.t("history.revert.field", { field });
      const input = html`<input type="hidden" name="field" value="${attribute.name}">`;
      fields.set(attribute.name, buttonOf(controller, url, controller.t("history.revert.button"), about, input));
    }
    const whole = controller.t("history.revert.all");
    return { fields, all: found.length > 1 ? buttonOf(controller, url, whole, whole) : undefined };
  }

  /**
   * `POST <record>/history/:entry_id/revert`, of one `field` or of all of the change; `lock_version` where newer values are to be
   * replaced. @throws HttpError 403, 404, 409 and 422 for programs
   */
  async revert(controller: ResourceRequest): Promise<Reply> {
    const record = await readableRecord(controller);
    await controller.authorizeAction("update", record);
    const asked = await confirmActions(controller, ["update"]);
    if (asked) return asked;
    const reverting = await this.#find(controller, record);
    if (reverting.parts.length === 0) throw notFound();
    addToOrigin({ means: "revert" });
    const { request, registration, resources } = controller;
    const written = await this.#tried(reverting, () =>
      resources.database.transaction((transaction) => write(reverting, transaction), {
        until: request.deadline,
        by: `the resource "${registration.constant}"`,
      }),
    );
    if ("stale" in written) return conflict({ ...reverting, record: written.stale });
    if ("errors" in written) return refused(reverting, written.errors);
    await report(controller, "updated", written.record);
    if (request.format === "json") return controller.answerUpdated(written.record);
    controller.flash.add("success", controller.t("history.revert.done", { name: labelOf(controller, written.record) }));
    return controller.redirectTo(historyUrl(controller, written.record));
  }

  async #find(controller: ResourceRequest, record: BaseModel): Promise<Reverting> {
    const id = /^[1-9]\d{0,14}$/.exec(controller.request.routeParams.entry_id ?? "")?.[0];
    const filter = entriesOf(controller, record);
    const entry = id !== undefined && filter ? await this.#store.find(Number(id), filter) : undefined;
    if (!entry || !filter || !isSince(await birthOf(this.#store, filter), entry)) throw notFound();
    const field = controller.request.body.get("field");
    const all = revertables(controller, record, entry);
    const isWhole = field === undefined || field === "";
    return {
      controller,
      record,
      entry,
      parts: isWhole ? all : all.filter(({ attribute }) => attribute.name === field),
    };
  }

  async #tried({ controller, parts }: Reverting, run: () => Promise<Written>): Promise<Written> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return {
        errors: fieldErrors(
          controller,
          error.problems,
          parts.map(({ attribute }) => attribute.name),
        ),
      };
    }
  }
}

function buttonOf(controller: ResourceRequest, url: string, text: string, about: string, input?: SafeHtml): SafeHtml {
  return html` <form method="post" action="${url}">${csrfInput(controller.request, url)}${input}<button class="btn btn-sm" aria-label="${about}">${text}</button></form>`;
}

/** Whether what the person saw is what is stored: the values that the entry wrote, or the version that was shown beside them. */
function isFresh({ controller, parts }: Reverting, current: BaseModel): boolean {
  const { model } = controller.registration;
  const { request, body } = { request: controller.request, body: controller.request.body };
  const version = requestedVersion(request.header("if-match"), body.get("lock_version"));
  if (version !== undefined) return model.isVersion(version, (name) => Reflect.get(current, name) as unknown);
  return parts.every(({ to, from }) => hasValues(model, current, to) || hasValues(model, current, from));
}

/** @throws ValidationError */
async function write(reverting: Reverting, transaction: Transaction): Promise<Written> {
  const { controller, parts } = reverting;
  const { model } = controller.registration;
  const current = await lockRecord(controller, reverting.record, transaction);
  if (!isFresh(reverting, current)) return { stale: current };
  const values: Values = Object.assign({}, ...parts.map(({ from }) => from));
  const hidden = await hiddenReference(reverting, values, transaction);
  if (hidden !== undefined) return { errors: { [hidden]: [controller.t("history.revert.not_visible")] } };
  const changed = model.changedValues(current, values);
  if (Object.keys(changed).length > 0) await current.$query(transaction).patch(changed as never);
  return { record: current };
}

/** The attribute that would lead to a record which is deleted, or which the person may not see. */
async function hiddenReference({ controller, parts }: Reverting, values: Values, transaction: Transaction) {
  const { model } = controller.registration;
  for (const { attribute } of parts) {
    const reference = referenced(model, attribute, values);
    if (!reference) continue;
    const [target, key] = reference;
    const query = target.key.where(controller.resources.visible(controller, target, transaction), key);
    if (!(await query.first())) return attribute.name;
  }
  return undefined;
}
function referenced(
  model: ModelInfo,
  { polymorphic, association, isKey, name }: Revertable["attribute"],
  values: Values,
) {
  const found = isKey ? model.referencesBy(name)[0] : association;
  const target = polymorphic ? polymorphic.targets.get(String(values[polymorphic.typeColumn])) : found?.target;
  const key = polymorphic ? values[polymorphic.keyColumn] : found?.key.of(values);
  return target && (typeof key === "string" || typeof key === "number") ? ([target, key] as const) : undefined;
}

/** 409: what is stored now beside what the change had made, and a form that replaces it all the same. */
async function conflict({ controller, record, entry, parts }: Reverting): Promise<Reply> {
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

function refused({ controller, record }: Reverting, errors: FieldErrors): Reply {
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
