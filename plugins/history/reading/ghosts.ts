import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { StoredEntry } from "../contract.ts";
import { revived } from "../recording/values.ts";

export type Values = Record<string, unknown>;
type Side = "from" | "to";

/** What a record had in the columns of a change, before it or after it, over the rest of what it has now. */
export function ghostOf(model: ModelInfo, { changes }: StoredEntry, side: Side, record?: BaseModel): BaseModel {
  const ghost = model.class.fromJson({}) as unknown as BaseModel & Values;
  const now = (record ?? {}) as unknown as Values;
  for (const name of model.columns.keys()) ghost[name] = now[name] ?? null;
  for (const [name, change] of Object.entries(changes))
    if (model.columns.has(name)) ghost[name] = "secret" in change ? null : revived(model, name, change[side]);
  return ghost;
}

/** A deleted record as the entry of its deletion has it. */
export function deletedOf(model: ModelInfo, entry: StoredEntry): BaseModel {
  const ghost = ghostOf(model, entry, "from");
  const key = model.key.parse(entry.record);
  if (key !== undefined) Object.assign(ghost, model.key.row(key));
  return ghost;
}
