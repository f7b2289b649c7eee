import { html, type SafeHtml } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { type Attribute, fieldLabel, isFileField, isSecret, type ResourceRequest } from "framewright/plugins/resources";
import { detailOf } from "framewright/plugins/resources/toolkit";
import type { StoredEntry } from "../contract.ts";
import { isCut } from "../recording/values.ts";
import { ghostOf, type Values } from "./ghosts.ts";
import { isUnseen, loadReferences } from "./related.ts";

/** A field of a change, as the person may see it. */
export interface ShownChange {
  readonly name: string;
  readonly label: string;
  /** Undefined where only that it was changed is shown. */
  readonly html: SafeHtml | undefined;
  readonly json: Readonly<Record<string, unknown>>;
}
/** A record that the person may see, or what is known of a deleted one, with what they may read of it. */
export interface ShownRecord {
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
  readonly isDeleted: boolean;
  readonly names: readonly string[];
}
/** An entry of such a record. */
export interface OpenEntry {
  readonly entry: StoredEntry;
  readonly of: ShownRecord;
}
/** An entry with its fields that the person may read now. */
export interface ShownEntry extends OpenEntry {
  readonly changes: readonly ShownChange[];
}

interface Field {
  readonly attribute: Attribute;
  readonly columns: readonly string[];
}
interface Plan extends OpenEntry {
  readonly model: ModelInfo;
  readonly fields: readonly Field[];
  readonly from: BaseModel;
  readonly to: BaseModel;
}

/** The fields of changes that the person may read now. A change of nothing but others is none for them. */
export async function shownEntries(open: readonly OpenEntry[]): Promise<ShownEntry[]> {
  const plans = open.map(planOf);
  for (const controller of new Set(open.map(({ of }) => of.controller))) {
    const own = plans.filter(({ of }) => of.controller === controller);
    await loadReferences(
      controller,
      own.flatMap(({ model, fields, from, to }) =>
        fields.flatMap(({ attribute }) => [from, to].map((ghost) => [model, attribute, ghost] as const)),
      ),
    );
  }
  const shown = plans.map((plan) => ({
    entry: plan.entry,
    of: plan.of,
    changes: plan.fields.map((one) => draw(plan, one)),
  }));
  return shown.filter(({ entry, changes }) => entry.kind !== "updated" || changes.length > 0);
}

function planOf({ entry, of }: OpenEntry): Plan {
  const { registration } = of.controller;
  const model = ModelInfo.ofRecord(of.record);
  const fields: Field[] = [];
  const seen = new Set<string>();
  for (const name of of.names) {
    const attribute = registration.attribute(name);
    const own = attribute.handler?.columns ?? model.columnsOf(name);
    const columns = own.filter((column) => Object.hasOwn(entry.changes, column));
    if (columns.every((column) => seen.has(column))) continue; // an association and its key are one change
    for (const column of columns) seen.add(column);
    fields.push({ attribute, columns });
  }
  const record = of.isDeleted ? undefined : of.record;
  return {
    entry,
    of,
    model,
    fields,
    from: ghostOf(model, entry, "from", record),
    to: ghostOf(model, entry, "to", record),
  };
}

function draw(plan: Plan, { attribute, columns }: Field): ShownChange {
  const { controller } = plan.of;
  const { kind, changes } = plan.entry;
  const { name } = attribute;
  const label = fieldLabel(controller, controller.registration, attribute, "display");
  const parts = columns.map((column) => changes[column]!);
  if (isSecret(attribute) || isFileField(attribute) || parts.some((part) => "secret" in part))
    return { name, label, html: undefined, json: { secret: true } };
  const [from, to] = [drawn(plan, attribute, plan.from, columns), drawn(plan, attribute, plan.to, columns)];
  const became = html`<span aria-hidden="true">→</span><span class="visually-hidden">${controller.t("history.became")}</span>`;
  const both = html`<del>${from}</del> ${became} <ins>${to}</ins>`;
  const json = { from: jsonOf(plan, attribute, plan.from, columns), to: jsonOf(plan, attribute, plan.to, columns) };
  const isShort = parts.every((part) => "from" in part && !isCut(part.from) && !isCut(part.to));
  return {
    name,
    label,
    html: kind === "updated" ? both : kind === "deleted" ? from : to,
    json: isShort ? json : { ...json, cut: true },
  };
}

const fieldOf = (ghost: BaseModel, name: string): unknown => (ghost as unknown as Values)[name] ?? null;

/** What a plugin serves is shown by its columns: it reads records that are stored. */
function drawn(
  { of: { controller }, model }: Plan,
  attribute: Attribute,
  ghost: BaseModel,
  columns: readonly string[],
): SafeHtml {
  if (isUnseen(model, attribute, ghost))
    return html`<span class="fw-none">${controller.t("history.not_visible")}</span>`;
  if (attribute.source !== "handler") return detailOf(controller, attribute, ghost);
  const texts = columns.map((column) => fieldOf(ghost, column)).filter((value) => value !== null);
  return html`${texts.length > 0 ? texts.map(String).join(" ") : "–"}`;
}
function jsonOf(
  { of: { controller }, model }: Plan,
  attribute: Attribute,
  ghost: BaseModel,
  columns: readonly string[],
): unknown {
  if (isUnseen(model, attribute, ghost)) return null;
  if (attribute.source !== "handler") return controller.recordJson(ghost, [attribute.name])[attribute.name] ?? null;
  return Object.fromEntries(columns.map((column) => [column, fieldOf(ghost, column)]));
}
