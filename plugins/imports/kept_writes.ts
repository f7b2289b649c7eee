import type { BackgroundRuns } from "framewright/plugins/background_runs";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import { columnValues, type RecordWriter } from "framewright/plugins/resources/toolkit";
import type { KeptRow, KeptWrite } from "./content.ts";
import { importsWith } from "./imports_of.ts";
import { hasValues, type KeepWrite } from "./row_write.ts";
import type { ImportRow, ImportStore } from "./store.ts";

/** Columns that show that a record was changed, not what it is. */
const MARKS = ["lock_version", "updated_at"];

/** A row of the table of writes. */
type Kept = Parameters<ImportStore["addWrites"]>[1][number];

/** Keeps what an import writes: each record in the transaction that writes it, or those of several together. */
export interface WriteKeeper {
  readonly keep: KeepWrite;
  /** Adds what is to be stored to these, which `store` writes before their commit. */
  collect(kept: Kept[]): KeepWrite;
  store(kept: readonly Kept[], transaction?: Transaction): Promise<void>;
}

/** Keeps each record that an import writes, to take it back; undefined where there is no table for that. */
export async function keepWrites(
  runs: BackgroundRuns,
  stored: ImportRow,
  model: ModelInfo,
): Promise<WriteKeeper | undefined> {
  const { database } = runs;
  const { store, sealer } = importsWith(runs);
  if (!(await store.keepsWrites())) return undefined;
  const add = (kept: readonly Kept[], transaction?: Transaction) => store.addWrites(stored.id, kept, transaction);
  const collect =
    (found: Kept[]): KeepWrite =>
    async ({ earlier, rows = [] }, record, transaction) => {
      const id = ModelInfo.keyOf(record)!;
      const now = await database.readByKey(model, id, [], transaction);
      if (!now) return; // a hook of the model has removed it
      const kept = await keptRows(rows, transaction);
      const content = { ...keptWrite(now, model, earlier), ...(kept.length > 0 ? { rows: kept } : {}) };
      found.push({ record_id: String(id), content: sealer.seal(content, stored) });
    };
  const keep: KeepWrite = async (write, record, transaction) => {
    const kept: Kept[] = [];
    await collect(kept)(write, record, transaction);
    await add(kept, transaction);
  };
  return { keep, collect, store: add };
}

async function keptRows(rows: NonNullable<RecordWriter["rows"]>, transaction: Transaction): Promise<KeptRow[]> {
  const kept: KeptRow[] = [];
  for (const { of, record, earlier } of rows) {
    const model = ModelInfo.ofRecord(record);
    const key = ModelInfo.keyOf(record)!;
    const now = (await model.key.where(model.class.query(transaction), key).first()) as unknown as
      | BaseModel
      | undefined;
    if (now) kept.push({ of, id: String(key), ...keptWrite(now, model, earlier) });
  }
  return kept;
}

function keptWrite(
  record: BaseModel,
  model: ModelInfo,
  earlier: Readonly<Record<string, unknown>> | undefined,
): Omit<KeptWrite, "rows"> {
  const names = [...model.columns.keys()].filter((name) => !MARKS.includes(name));
  const written = only(columnValues(record, model), names);
  if (!earlier) return { written };
  const changed = names.filter((name) => !hasValues(record, { [name]: earlier[name] }));
  return { earlier: only(earlier, changed), written: only(written, changed) };
}

const only = (values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

/** Values that were stored as JSON, as the columns of a model take them. */
export function asColumns(values: Readonly<Record<string, unknown>>, { columns }: ModelInfo): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      columns.get(name)?.type === "datetime" && typeof value === "string" ? new Date(value) : value,
    ]),
  );
}
