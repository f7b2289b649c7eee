import type { Transaction } from "objection";
import { changedColumns } from "../changes/change.ts";
import { changesOf } from "../changes/record_changes.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { markRestored } from "../models/restored_records.ts";
import { throwMapped } from "../validation/constraint_errors.ts";
import { uniqueProblem } from "../validation/uniqueness.ts";
import { type Problem, ValidationError } from "../validation/validation_error.ts";

type Values = Readonly<Record<string, unknown>>;
/** Rows that one statement writes. */
const MAX_ROWS = 500;

/**
 * Takes records of one model out of use, by the values of its mark and the columns beside it; listeners to changes get
 * deletions.
 * @example await takeOutOfUse(posts, { deleted_at: new Date() }, transaction);
 */
export async function takeOutOfUse(
  records: readonly BaseModel[],
  values: Values,
  transaction: Transaction,
): Promise<void> {
  await writeColumns(records, values, transaction);
  for (const record of records) {
    const model = ModelInfo.ofRecord(record);
    const changed = changedColumns(model, record, undefined);
    await changesOf(model.class)?.report({ kind: "deleted", model, record, before: record, changed }, transaction);
  }
}

/**
 * Takes records back into use: what must be unique is checked as of new records, and listeners to changes get created
 * ones, whose `isRestored` is true. @throws ValidationError of the record whose value another has by now
 */
export async function takeIntoUse(
  records: readonly BaseModel[],
  values: Values,
  transaction: Transaction,
): Promise<void> {
  for (const record of records) {
    Object.assign(record, values);
    await checkUnique(record, transaction);
    await writeColumns([record], values, transaction);
    markRestored(record);
    const model = ModelInfo.ofRecord(record);
    const changed = changedColumns(model, undefined, record);
    const change = { kind: "created", model, record, before: undefined, changed, isRestored: true } as const;
    await changesOf(model.class)?.report(change, transaction);
  }
}

async function writeColumns(records: readonly BaseModel[], values: Values, transaction: Transaction): Promise<void> {
  if (records.length === 0) return;
  const info = ModelInfo.ofRecord(records[0]!);
  const stored = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value && (info.encoders.get(name)?.(value) ?? value)]),
  );
  for (let at = 0; at < records.length; at += MAX_ROWS) {
    const keys = records.slice(at, at + MAX_ROWS).map((record) => ModelInfo.keyOf(record)!);
    try {
      await info.key.whereIn(transaction(info.table), keys).update(stored);
    } catch (error) {
      await throwMapped(error, {
        modelClass: () => info.class,
        context: () => ({}),
        knex: () => transaction,
        isDelete: () => false,
      });
    }
  }
}

async function checkUnique(record: BaseModel, transaction: Transaction): Promise<void> {
  const info = ModelInfo.ofRecord(record);
  const write = { info, what: "insert", values: record as never, whole: record, stored: record, transaction } as const;
  const problems: Record<string, Problem[]> = {};
  for (const [name, { uniqueness }] of Object.entries(info.class.validations)) {
    const found = uniqueness && (await uniqueProblem(write, name, uniqueness));
    if (found) problems[name] = [found];
  }
  if (Object.keys(problems).length > 0) throw new ValidationError(info.constant, problems);
}
