import type { BaseModel, ModelInfo, Transaction } from "framewright/plugins/database";
import type { BackgroundRuns } from "../background/runs.ts";
import type { KeptWrite } from "./content.ts";
import { columnsOf, hasValues, type KeepWrite, type RowWrite } from "./row_write.ts";
import type { ImportRow } from "./store.ts";

/** Columns that say that a record was changed, not what it is. */
const MARKS = ["lock_version", "updated_at"];

/** Keeps the records that an import writes, in the transaction that writes them. */
export interface KeptWrites {
  readonly one: KeepWrite;
  /** New records, in the order in which they were written. */
  all(records: readonly BaseModel[], transaction: Transaction): Promise<void>;
}

/** Undefined where there is no table for that. */
export async function keepWrites(
  { database, parts: { imports } }: BackgroundRuns,
  stored: ImportRow,
  model: ModelInfo,
): Promise<KeptWrites | undefined> {
  const { store, sealer } = imports;
  if (!(await store.keepsWrites())) return undefined;
  const rowOf = (record: BaseModel, earlier?: RowWrite["earlier"]) => ({
    record_id: String(record.$id()),
    content: sealer.seal(keptWrite(record, model, earlier), stored),
  });
  return {
    async one({ earlier }, record, transaction) {
      const id = record.$id() as number;
      const now = (await database.query(model.class, transaction).findById(id)) as unknown as BaseModel | undefined;
      if (!now) return; // a hook of the model has removed it
      await store.addWrites(stored.id, [rowOf(now, earlier)], transaction);
    },
    async all(records, transaction) {
      const ids = records.map((record) => record.$id() as number);
      const found = (await database.query(model.class, transaction).findByIds(ids)) as unknown as BaseModel[];
      const byId = new Map(found.map((record) => [String(record.$id()), record]));
      const rows = ids.flatMap((id) => byId.get(String(id)) ?? []).map((record) => rowOf(record));
      await store.addWrites(stored.id, rows, transaction);
    },
  };
}

function keptWrite(
  record: BaseModel,
  model: ModelInfo,
  earlier: Readonly<Record<string, unknown>> | undefined,
): KeptWrite {
  const names = [...model.columns.keys()].filter((name) => !MARKS.includes(name));
  const written = only(columnsOf(record, model), names);
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
