import { addToOrigin, csrfInput, type FieldErrors, html, notFound, type Reply, type SafeHtml } from "framewright/host";
import { type BaseModel, type ModelInfo, type Transaction, ValidationError } from "framewright/plugins/database";
import { allows, fieldLabel, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import {
  confirmActions,
  fieldErrors,
  lockRecord,
  report,
  requestedVersion,
} from "framewright/plugins/resources/toolkit";
import { isSince } from "../reading/cursor.ts";
import type { RevertButtons } from "../reading/draw_entry.ts";
import type { Values } from "../reading/ghosts.ts";
import { historyUrl, readableRecord } from "../reading/record_pages.ts";
import type { ShownEntry } from "../reading/shown_changes.ts";
import { birthOf, entriesOf } from "../reading/timeline.ts";
import type { HistoryStore } from "../store.ts";
import { conflict, type Reverting, refused } from "./answers.ts";
import { hasValues, type Revertable, revertables } from "./revertable.ts";

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
   * `POST <record>/history/:entry_key/revert`, of one `field` or of all of the change; `lock_version` where newer values are to be
   * replaced. @throws HttpError 403, 404, 409 and 422 for programs
   */
  async revert(controller: ResourceRequest): Promise<Reply> {
    const record = await readableRecord(controller);
    await controller.authorizeAction("update", record);
    const confirmation = await confirmActions(controller, ["update"]);
    if (confirmation) return confirmation;
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
    const id = /^[1-9]\d{0,14}$/.exec(controller.request.routeParams.entry_key ?? "")?.[0];
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
