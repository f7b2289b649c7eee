import { suggest } from "framewright/kernel";
import type { Knex } from "knex";
import { errors } from "../errors.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { isDuplicate } from "../validation/constraint_errors.ts";

const BATCH_ROWS = 500;

/** The rows of a model by what became of their encrypted columns. */
export interface EncryptedCount {
  readonly model: string;
  readonly table: string;
  /** Rows that were written anew: they were not encrypted, or depended on a previous secret. */
  encrypted: number;
  /** Those of them, and of `taken`, that had a value which was not encrypted at all. */
  plain: number;
  /** Rows that open under no configured secret. */
  lost: number;
  /** Rows with a value that has no room in its column once it is encrypted; it is left as it is. */
  long: number;
  /** Rows that can't be written: another row has the same value in a unique column. */
  taken: number;
}
type Row = Record<string, unknown>;

/** The models that have encrypted columns, or the one that was named. @throws FW_ENCRYPTED_MODEL */
export function encryptedModels(models: readonly ModelInfo[], wanted: string | undefined): ModelInfo[] {
  const all = models.filter(({ encrypted }) => encrypted.size > 0);
  const found = wanted === undefined ? all : all.filter(({ constant }) => constant === wanted);
  const names = all.map(({ constant }) => constant);
  if (wanted !== undefined && found.length === 0) throw errors.FW_ENCRYPTED_MODEL(wanted, suggest(wanted, names));
  return found;
}

/**
 * Encrypts what a model's rows have in its encrypted columns, by the current secret, in batches by id. It may be stopped and
 * run again, while people go on working: a row that was written meanwhile is left alone. `writes: false` only counts.
 */
export async function encryptRows(knex: Knex, info: ModelInfo, { writes = true } = {}): Promise<EncryptedCount> {
  const { table, constant, primaryKey: key } = info;
  const count: EncryptedCount = { model: constant, table, encrypted: 0, plain: 0, lost: 0, long: 0, taken: 0 };
  const batch = () =>
    knex<Row>(table)
      .select(key, ...info.encrypted.keys())
      .orderBy(key)
      .limit(BATCH_ROWS);
  for (let rows = (await batch()) as Row[]; rows.length > 0; ) {
    for (const row of rows) {
      const { change, ...found } = changeOf(info, row);
      for (const kind of ["plain", "lost", "long"] as const) if (found[kind]) count[kind] += 1;
      if (Object.keys(change).length > 0) count[writes ? await write(knex, info, row, change) : "encrypted"] += 1;
    }
    rows = (await batch().where(key, ">", rows.at(-1)![key] as number)) as Row[];
  }
  return count;
}

function changeOf(info: ModelInfo, row: Row): { change: Row; plain: boolean; lost: boolean; long: boolean } {
  const change: Row = {};
  let [plain, lost, long] = [false, false, false];
  for (const [column, cipher] of info.encrypted) {
    const stored = row[column];
    const state = typeof stored === "string" ? cipher.stateOf(stored) : "current";
    if (state === "current") continue;
    if (state === "lost") lost = true;
    else {
      plain ||= state.isPlain && state.fits;
      long ||= !state.fits;
      if (state.fits) change[column] = state.replacement;
    }
  }
  return { change, plain, lost, long };
}

async function write(knex: Knex, info: ModelInfo, row: Row, change: Row): Promise<"encrypted" | "taken"> {
  const before = Object.fromEntries(Object.keys(change).map((column) => [column, row[column]]));
  try {
    await knex(info.table)
      .where({ [info.primaryKey]: row[info.primaryKey], ...before })
      .update(change);
    return "encrypted";
  } catch (error) {
    if (isDuplicate(error)) return "taken";
    throw error;
  }
}
