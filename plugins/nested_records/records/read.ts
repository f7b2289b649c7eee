import type { FieldErrors, ParamObject } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { countProblem, isRemovedRow } from "framewright/plugins/fields/rows";
import type { ResourceRequest } from "framewright/plugins/resources";
import { type AttributeHandler, NestedWrite, originalsIn, sentValue } from "framewright/plugins/resources/toolkit";
import type { HandledForm, HandledWrite } from "../handled.ts";
import {
  isPermitted,
  type RecordRows,
  type RowsOf,
  rowController,
  rowsOfRecord,
  storedRows,
  writableFields,
} from "./record_rows.ts";
import { arranged, idOfRow, isLeftBlank, sentRows } from "./sent_rows.ts";
import { withStoredIds } from "./stored_rows.ts";
import { type RowPlan, writeRows } from "./write.ts";

/** Reads and checks what was sent for rows; errors are at their path, as `parcels.1.area`. */
export async function readRecordRows(
  rows: RecordRows,
  { controller: page, attribute: { name }, record, sent }: HandledForm,
): Promise<HandledWrite | { errors: FieldErrors } | undefined> {
  if (!sent.has(name) && (record || rows.minimum === 0)) return undefined;
  const all = sentRows(sent.get(name), rows);
  if (!all) return { errors: { [name]: [page.t("errors.wrong_shape")] } };
  const of = rowsOfRecord(page, rows, record);
  const isForm = page.request.format === "html" && !page.recordWriter; // an import has no form
  const rowsOfFile = page.recordWriter && record && !rows.isOne ? await withStoredIds(of, all) : all;
  const given = isForm ? arranged(all.filter((row) => idOfRow(row) !== undefined || !isLeftBlank(row))) : rowsOfFile;
  const errors: FieldErrors = {};
  if (given.length > rows.maximum * 2) return { errors: { [name]: [tooMany(page, rows.maximum)] } };
  const stored = await storedById(of, given);
  const plans: RowPlan[] = [];
  const seen = new Set<string>();
  for (const [index, row] of given.entries()) {
    const path = rows.isOne ? name : `${name}.${index}`;
    const id = idOfRow(row);
    if (id !== undefined && seen.has(id)) errors[`${path}.id`] = [page.t("nested_records.row_twice")];
    else if (id !== undefined) seen.add(id);
    const plan = await planOf(of, row, { path, stored, isForm });
    if ("errors" in plan) Object.assign(errors, plan.errors);
    else plans.push(plan);
  }
  if (!rows.isOne) Object.assign(errors, await countErrors(of, name, plans, Object.keys(errors).length > 0));
  if (Object.keys(errors).length === 0)
    return changesNothing(of, plans, isForm) ? undefined : writeRows(of, plans, { isForm });
  for (const plan of plans) if (plan.kind === "write") await plan.nested.undone();
  return { errors };
}

/** Whether nothing is written, removed or moved. */
function changesNothing({ rows: { order } }: RowsOf, plans: readonly RowPlan[], isForm: boolean): boolean {
  const kept = plans.filter((plan) => plan.kind === "skip");
  if (plans.some(({ kind }) => kind === "write" || kind === "destroy")) return false;
  if (order === undefined || !isForm) return true;
  return kept.every(({ record }, index) => (record as unknown as Record<string, unknown>)[order] === index + 1);
}

const tooMany = ({ request }: ResourceRequest, maximum: number): string => {
  const { key, message, vars } = countProblem("many", maximum);
  return request.tOr(key, message, vars);
};

/** The stored rows that were named, by their ids as texts; of a has-one the one that there is. */
async function storedById(of: RowsOf, given: readonly ParamObject[]): Promise<Map<string, BaseModel>> {
  const { record, rows, registration } = of;
  if (!record) return new Map();
  const ids = given.map(idOfRow).filter((id): id is string => id !== undefined && isKeyText(of, id));
  if (!rows.isOne && ids.length === 0) return new Map();
  const { model } = registration;
  const query = storedRows(of);
  if (rows.isOne) query.limit(1);
  else query.whereIn(`${model.table}.${model.primaryKey}`, ids);
  const found = (await query) as BaseModel[];
  return new Map(found.map((one) => [String(ModelInfo.keyOf(one)), one]));
}
/** Whether a text could be a key: databases compare numbers with texts as they please. */
const isKeyText = ({ registration: { model } }: RowsOf, text: string): boolean => {
  const type = model.columns.get(model.primaryKey)?.type;
  return type === "integer" || type === "bigint" ? /^(0|[1-9]\d{0,15})$/.test(text) : text.length <= 255;
};

interface Reading {
  readonly path: string;
  readonly stored: ReadonlyMap<string, BaseModel>;
  readonly isForm: boolean;
}
async function planOf(
  of: RowsOf,
  sent: ParamObject,
  { path, stored, isForm }: Reading,
): Promise<RowPlan | { errors: FieldErrors }> {
  const { page, rows, record } = of;
  const { id: _, _destroy: __, _was: ___, _added: ____, _list: _____, ...values } = sent;
  const id = idOfRow(sent);
  const named = id === undefined ? undefined : stored.get(id);
  const current = named ?? (rows.isOne && id === undefined ? [...stored.values()][0] : undefined);
  if (id !== undefined && !named) return { errors: { [`${path}.id`]: [page.t("errors.not_a_choice")] } };
  const row = rowController(of, values);
  const refuse = () => ({ errors: { [`${path}.base`]: [page.t("nested_records.denied")] } });
  if (isRemovedRow(sent)) {
    if (!current) return { kind: "none" };
    return (await isPermitted(row, "destroy", current)) ? { kind: "destroy", row, record: current, path } : refuse();
  }
  if (current && isForm && (await isUntouched(row, current, rows))) return { kind: "skip", row, record: current, path };
  if (!(await isPermitted(row, current ? "update" : "create", current))) return refuse();
  row.record = current;
  const nested = await NestedWrite.prepare(row, current, path);
  const problems = record ? nested.errors : withoutParent(of, path, nested.errors);
  return Object.keys(problems).length > 0
    ? { errors: problems }
    : { kind: "write", row, record: current, nested, path };
}

/** A row of a new record has no key of its parent yet. */
function withoutParent({ rows: { association } }: RowsOf, path: string, errors: FieldErrors): FieldErrors {
  const keys = new Set([
    ...[...association.key.columns, ...inverseNames(association)].map((name) => `${path}.${name}`),
  ]);
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !keys.has(name)));
}
const inverseNames = ({ target, key }: RowsOf["rows"]["association"]): string[] =>
  [...target.associations.values()]
    .filter((one) => one.kind === "belongsTo" && one.key.columns.join() === key.columns.join())
    .map(({ name }) => name);

/** Whether the inputs of a row still have what they began with, and so do the rows within it. */
async function isUntouched(row: ResourceRequest, record: BaseModel, rows: RecordRows): Promise<boolean> {
  const originals = originalsIn(row.params);
  const sent = row.params.require(row.registration.key);
  for (const name of writableFields(row, record, rows)) {
    if (!sent.has(name)) continue;
    const attribute = row.registration.attribute(name);
    const { handler } = attribute;
    const isSame = handler
      ? await isUnread(handler.read?.({ controller: row, attribute, record, sent }))
      : originals?.has(attribute, sentValue(attribute, sent)) === true;
    if (!isSame) return false;
  }
  return true;
}

/** Whether a handler found nothing to write; what it stored for that is read again, and stored, with its row. */
async function isUnread(reading: ReturnType<NonNullable<AttributeHandler["read"]>> | undefined): Promise<boolean> {
  const read = await reading;
  if (read && !("errors" in read)) await read.undone?.();
  return read === undefined;
}

async function countErrors(
  of: RowsOf,
  name: string,
  plans: readonly RowPlan[],
  hasOthers: boolean,
): Promise<FieldErrors> {
  const { page, rows, record } = of;
  const created = plans.filter((plan) => plan.kind === "write" && !plan.record).length;
  const removed = plans.filter(({ kind }) => kind === "destroy").length;
  if (rows.minimum === 0 && created === 0) return {};
  const stored = record ? await rowController(of, {}).visibleRecords().resultSize() : 0;
  const count = stored - removed + created;
  const wrong =
    count > rows.maximum && created > 0
      ? countProblem("many", rows.maximum)
      : count < rows.minimum && !hasOthers
        ? countProblem("few", rows.minimum)
        : undefined;
  return wrong ? { [name]: [page.request.tOr(wrong.key, wrong.message, wrong.vars)] } : {};
}
