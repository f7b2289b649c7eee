import { type BaseModel, insertStored, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { KeptDeletion, KeptRow, Unlinked } from "./content.ts";
import type { Restored } from "./index.ts";

/** A deletion is not undone: the key of a text below `resource.undo.reasons`. */
export class NotRestored extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`not restored: ${reason}`);
    this.reason = reason;
  }
}

type OnRestored = (restored: Restored) => Promise<void>;

/**
 * Writes a deleted record and what went with it as they were, and links to it again what nobody has linked to another since.
 * @throws NotRestored, ValidationError
 */
export async function restoreDeletion(
  controller: ResourceController,
  { rows, root, unlinked }: KeptDeletion,
  transaction: Transaction,
  onRestored: OnRestored,
): Promise<BaseModel> {
  const infos = new Map(controller.resources.database.models().map((info) => [info.constant, info]));
  const restored: BaseModel[] = [];
  for (const row of rows) restored.push(await insert(infos, row, transaction));
  for (const left of unlinked) await relink(infos, left, transaction);
  await onRestored({ records: restored, transaction });
  return visible(controller, restored[root]!, transaction);
}

function known(infos: ReadonlyMap<string, ModelInfo>, constant: string): ModelInfo {
  const info = infos.get(constant);
  if (!info) throw new NotRestored("unknown");
  return info;
}

async function insert(
  infos: ReadonlyMap<string, ModelInfo>,
  { model, row }: KeptRow,
  transaction: Transaction,
): Promise<BaseModel> {
  const record = await insertStored(known(infos, model), row, transaction);
  if (!record) throw new NotRestored("key");
  return record;
}

async function relink(
  infos: ReadonlyMap<string, ModelInfo>,
  { model, ids, keys }: Unlinked,
  transaction: Transaction,
): Promise<void> {
  const { class: cls, table, key } = known(infos, model);
  const query = key.whereIn(cls.query(transaction), ids);
  for (const name of Object.keys(keys)) query.whereNull(`${table}.${name}`);
  await query.patch(keys as never);
}

/** The record as it is stored now, where the person still sees it. @throws NotRestored */
async function visible(
  controller: ResourceController,
  record: BaseModel,
  transaction: Transaction,
): Promise<BaseModel> {
  const { key } = controller.registration.model;
  const query = key.where(controller.visibleRecords(transaction), ModelInfo.keyOf(record)!);
  const found = await query.first();
  if (!found) throw new NotRestored("refused");
  return found;
}
