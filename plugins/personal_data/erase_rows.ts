import { setImmediate as nextTurn } from "node:timers/promises";
import { type BaseModel, type Database, isReferenced, ModelInfo, ValidationError } from "framewright/plugins/database";
import type { ErasedRow, Erasure, PersonalSource } from "./contract.ts";
import { isKept } from "./declared.ts";
import { errors } from "./errors.ts";
import { erasedLogin } from "./person.ts";
import { chunksOf, type Owned, type Plan } from "./plan.ts";

const SLUGS = "framewright_slugs";
const ROWS_A_TURN = 20;

/** Erases the rows of declared models, those first which belong to others; returns how many of each. */
export async function eraseModels(
  database: Database,
  { plan, sources, loginColumn }: { plan: Plan; sources: readonly PersonalSource[]; loginColumn: string },
  erasure: Erasure,
): Promise<Record<string, number>> {
  const { person, transaction } = erasure;
  const counts: Record<string, number> = {};
  const subject = { id: person.account.id, login: person.login };
  for (const owned of [...plan].reverse()) {
    const isAccount = owned.model === person.type.model;
    if (owned.erase === "keep" && !isAccount) continue;
    for await (const records of chunksOf(database, owned, subject, transaction)) {
      const isDeleted = owned.erase === "delete" && !isAccount; // tables refer to the account, whose row states that it is closed
      if (isDeleted) await deleteRows(database, owned, records, erasure);
      else
        for (const [at, record] of records.entries()) {
          if (at % ROWS_A_TURN === 0) await nextTurn(); // a database in this process would let no request in
          await anonymise(database, owned, record, isAccount ? loginColumn : undefined, erasure);
        }
      const rows = erasedRows(owned, records, isDeleted, isAccount ? loginColumn : undefined);
      if (erasure.hasTable(SLUGS)) await forgetSlugs(owned, rows, erasure);
      for (const source of sources) await source.eraseRows?.(erasure, owned.model, rows, owned.keepsFiles);
      counts[owned.model.constant] = (counts[owned.model.constant] ?? 0) + records.length;
    }
  }
  return counts;
}

function erasedRows(
  owned: Owned,
  records: readonly BaseModel[],
  isDeleted: boolean,
  login: string | undefined,
): ErasedRow[] {
  const { model, columns } = owned;
  const replaced = [...columns].filter(([, rule]) => !isKept(rule)).map(([name]) => name);
  const names = isDeleted ? [...model.columns.keys()] : login === undefined ? replaced : [...replaced, login];
  const fate = isDeleted ? "deleted" : "anonymised";
  return records.map((record) => ({ key: String(ModelInfo.keyOf(record)), fate, columns: names }));
}

/** Writes what the rules define, past the rules of the model; it is reported as other changes are. */
async function anonymise(
  database: Database,
  { model, columns }: Owned,
  record: BaseModel,
  loginColumn: string | undefined,
  { transaction }: Erasure,
): Promise<void> {
  const change: Record<string, unknown> = {};
  for (const [name, rule] of columns) {
    if (isKept(rule)) continue;
    const value = typeof rule === "function" ? (rule as (row: object) => unknown)(record) : rule;
    change[name] = value === null || value === undefined ? null : (model.encoders.get(name)?.(value) ?? value);
  }
  if (loginColumn !== undefined) change[loginColumn] = erasedLogin(record as never);
  if (Object.keys(change).length === 0) return;
  if (model.isVersioned) change.lock_version = Number(Reflect.get(record, "lock_version")) + 1; // what somebody has open brings nothing back
  await database.changeRows(model, { [model.primaryKey]: ModelInfo.keyOf(record) }, change, transaction);
}

/** Deletes rows as anybody would, so that what depends on them goes along; those in a trash for good. */
async function deleteRows(
  database: Database,
  { model }: Owned,
  records: readonly BaseModel[],
  { transaction }: Erasure,
) {
  const keys = records.map((record) => ModelInfo.keyOf(record)!) as number[];
  const query = database.query(model.class, transaction).whereIn(`${model.table}.${model.primaryKey}`, keys);
  try {
    if (model.mark) await query.withDeleted().purge();
    else await query.delete();
  } catch (error) {
    const isOfOthers = error instanceof ValidationError || isReferenced(error);
    throw isOfOthers ? Object.assign(errors.FW_PERSONAL_REFERENCED(model.constant), { cause: error }) : error;
  }
}

/** The slugs by which rows were found before: they are built from names. */
async function forgetSlugs({ model }: Owned, rows: readonly ErasedRow[], { transaction }: Erasure): Promise<void> {
  const keys = rows.map(({ key }) => key);
  await transaction(SLUGS).where({ model: model.constant }).whereIn("record_id", keys).delete();
}
