import type { BaseModel, Transaction } from "framewright/plugins/database";
import { keysTo, ModelInfo } from "framewright/plugins/database";
import { countProblem } from "framewright/plugins/fields/rows";
import { allows, type ResourceRequest } from "framewright/plugins/resources";
import {
  AttributeInvalid,
  destroyProblem,
  lockRecord,
  NestedWrite,
  type RecordWriter,
  removeFilesOf,
  report,
} from "framewright/plugins/resources/toolkit";
import type { HandledWrite } from "../handled.ts";
import { freeTaken } from "./exchange.ts";
import { type RowsOf, rowController } from "./record_rows.ts";

/** What is done with a row that was sent. */
export type RowPlan =
  | { readonly kind: "none" }
  | { readonly kind: "skip"; readonly row: ResourceRequest; readonly record: BaseModel; readonly path: string }
  | { readonly kind: "destroy"; readonly row: ResourceRequest; readonly record: BaseModel; readonly path: string }
  | {
      readonly kind: "write";
      readonly row: ResourceRequest;
      /** Undefined for a new one. */
      readonly record: BaseModel | undefined;
      readonly nested: NestedWrite;
      readonly path: string;
    };
type SkipPlan = Extract<RowPlan, { kind: "skip" }>;
type WritePlan = Extract<RowPlan, { kind: "write" }>;
type DestroyPlan = Extract<RowPlan, { kind: "destroy" }>;

/** Writes rows in the transaction of their record: those that are removed first, so that what they have is free. */
export function writeRows(of: RowsOf, plans: readonly RowPlan[], { isForm }: { isForm: boolean }): HandledWrite {
  const destroyed = plans.filter((plan): plan is DestroyPlan => plan.kind === "destroy");
  const written = plans.filter((plan): plan is WritePlan => plan.kind === "write");
  const records = new Map<WritePlan, BaseModel>();
  const list = rowController(of); // of all that are removed, so that one undo brings them back
  return {
    async write(parent, transaction) {
      let isAnyChanged = destroyed.length > 0;
      Object.assign(list, { parent });
      for (const plan of destroyed) await destroyRow(list, plan, transaction);
      const placeOf = await placesIn(of, plans, { parent, transaction, isForm });
      const keysOf = (plan: WritePlan) => ({
        ...(plan.record ? {} : keysTo(of.rows.association, parent)),
        ...placeOf(plan),
      });
      const moved = plans.filter((plan) => plan.kind === "skip").filter((plan) => mayMove(plan, placeOf(plan)));
      for (const { row } of written) Object.assign(row, { parent });
      const writings = [
        ...written.map((plan) => ({ ...plan, values: { ...plan.nested.columns, ...keysOf(plan) } })),
        ...moved.map((plan) => ({ ...plan, values: placeOf(plan) })),
      ];
      const giveBack = await freeTaken(of.registration.model, writings, transaction);
      for (const plan of written) {
        const { rows: noted } = of.page.recordWriter ?? {};
        const writer: RecordWriter = { isUnchanged: false, run: (work) => work(transaction) };
        if (noted) plan.row.recordWriter = writer;
        const { record, isChanged } = await plan.nested.write(transaction, keysOf(plan));
        if (isChanged) noted?.push({ of: of.rows.name, record, earlier: writer.earlier });
        records.set(plan, record);
        isAnyChanged ||= isChanged;
      }
      const isAdded = written.some((plan) => !plan.record);
      if (isAdded || destroyed.length > 0) await checkCount(of, list, transaction, isAdded);
      for (const plan of moved) {
        const current = await lockRecord(plan.row, plan.record, transaction);
        await current.$query(transaction).patch(placeOf(plan) as never);
      }
      await giveBack();
      return isAnyChanged || moved.length > 0;
    },
    async committed() {
      for (const plan of written) await plan.nested.committed(records.get(plan)!);
      for (const { row, record } of destroyed) {
        await removeFilesOf(row, record);
        await report(row, "destroyed", record);
      }
      offerUndo(of.page, list, destroyed);
    },
    async undone() {
      for (const { nested } of written) await nested.undone();
    },
  };
}

/** What a plugin states about deletions, as their own answer would: how they come back. */
function offerUndo(page: ResourceRequest, list: ResourceRequest, destroyed: readonly DestroyPlan[]): void {
  if (destroyed.length === 0 || page.request.format !== "html") return;
  const ids = destroyed.map(({ record }) => ModelInfo.keyOf(record));
  const notice = list.resources.hooks.destroyed.call(ids, list);
  const text = page.t("nested_records.removed", { count: ids.length });
  if (notice) page.flash.add("success", `${text} ${notice.text}`, notice.action);
}

async function destroyRow(
  list: ResourceRequest,
  { row, record, path }: DestroyPlan,
  transaction: Transaction,
): Promise<void> {
  const invalid = (text: string) => new AttributeInvalid({ [`${path}.base`]: [text] });
  const current = await lockRecord(row, record, transaction);
  if (NestedWrite.isStale(row, current)) throw invalid(row.t("resource.stale_part"));
  const { destroying } = row.resources.hooks;
  if (destroying.isUsed()) await destroying.promise({ controller: list, record: current, transaction });
  try {
    await current.$query(transaction).delete();
  } catch (error) {
    throw invalid(destroyProblem(row, record, error));
  }
}

interface Placing {
  readonly parent: BaseModel;
  readonly transaction: Transaction;
  readonly isForm: boolean;
}
/** Two requests at once may each have had room for their rows, or have left enough. @throws AttributeInvalid */
async function checkCount({ rows }: RowsOf, list: ResourceRequest, transaction: Transaction, isAdded: boolean) {
  const { isOne, minimum, maximum, name } = rows;
  if (isOne || (!isAdded && minimum === 0)) return;
  const count = await list.visibleRecords(transaction).resultSize();
  const isFew = count < minimum;
  if (!isFew && !(isAdded && count > maximum)) return;
  const { key, message, vars } = countProblem(isFew ? "few" : "many", isFew ? minimum : maximum);
  throw new AttributeInvalid({ [name]: [list.request.tOr(key, message, vars)] });
}

type Place = Readonly<Record<string, number>>;

/** The column of the order for each row: a form's rows are numbered as they are in it, new ones of a program are last. */
async function placesIn(
  { page, rows: { order, association }, registration }: RowsOf,
  plans: readonly RowPlan[],
  { parent, transaction, isForm }: Placing,
): Promise<(plan: RowPlan) => Place> {
  if (order === undefined) return () => ({});
  const live = plans.filter(({ kind }) => kind === "write" || kind === "skip");
  if (isForm) return (plan) => ({ [order]: live.indexOf(plan) + 1 });
  const created = live.filter((plan) => plan.kind === "write" && !plan.record);
  if (created.length === 0) return () => ({});
  const { model } = registration;
  const query = page.resources.database.query(model.class, transaction);
  page.resources.underParent(query, association, parent);
  const [{ last = 0 } = {}] = (await query.max(`${model.table}.${order} as last`)) as unknown as {
    last?: number | null;
  }[];
  return (plan) => (created.includes(plan) ? { [order]: (last ?? 0) + created.indexOf(plan) + 1 } : {});
}

const mayMove = ({ row, record }: SkipPlan, place: Place): boolean =>
  Object.entries(place).some(([name, value]) => (record as unknown as Record<string, unknown>)[name] !== value) &&
  allows(row.policyFor(record), "update");
