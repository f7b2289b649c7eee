import { type BaseModel, keysTo, type Transaction } from "framewright/plugins/database";
import { labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { formFields, isDenial } from "framewright/plugins/resources/toolkit";
import type { ImportMapping, KeptRow, KeptWrite } from "./content.ts";
import { asColumns } from "./kept_writes.ts";
import { hasValues } from "./row_write.ts";

/** A record stays as it is: the key of a text below `resource.import.undo.left`, and what people call the record. */
export class LeftAsItIs extends Error {
  readonly reason: string;
  readonly label: string | undefined;
  constructor(reason: string, label?: string) {
    super(`left: ${reason}`);
    this.reason = reason;
    this.label = label;
  }
}

export interface TakenBack {
  readonly kind: "destroyed" | "updated";
  readonly record: BaseModel;
  /** The controller of the record, and what was taken back before it: its rows. */
  readonly controller: ResourceRequest;
  readonly rows: readonly TakenBack[];
}

/** What an import wrote of one record. */
export interface WrittenRecord {
  readonly id: string;
  readonly write: KeptWrite;
  readonly mapping: ImportMapping;
}

/** Removes a record that an import created, or puts back what it had before; the policy is checked as for any request. @throws LeftAsItIs, ValidationError */
export async function takeBack(
  controller: ResourceRequest,
  about: WrittenRecord,
  transaction: Transaction,
): Promise<TakenBack> {
  const record = await locked(controller, about, transaction);
  const { earlier, written, rows: kept = [] } = about.write;
  await authorized(controller, earlier ? "update" : "destroy", record);
  if (!hasValues(record, written)) throw new LeftAsItIs("changed", labelOf(controller, record));
  const rows: TakenBack[] = [];
  for (const row of kept.toReversed())
    rows.push(await takeBackRow(controller, record, { row, mapping: about.mapping }, transaction));
  const taken = { record, controller, rows };
  if (earlier) {
    await putBack(controller, record, about, transaction);
    return { kind: "updated", ...taken };
  }
  if (await isReferredTo(controller, record, about.mapping, transaction))
    throw new LeftAsItIs("used", labelOf(controller, record));
  await record.$query(transaction).delete();
  return { kind: "destroyed", ...taken };
}

/** As `takeBack`, for a row of a record, which stays as it is where one of its rows does. */
async function takeBackRow(
  controller: ResourceRequest,
  record: BaseModel,
  { row, mapping }: { readonly row: KeptRow; readonly mapping: ImportMapping },
  transaction: Transaction,
): Promise<TakenBack> {
  const label = labelOf(controller, record);
  const attribute = controller.registration.attribute(row.of);
  const rows = attribute.handler?.rows?.(controller, attribute, record);
  if (!rows?.areRecords) throw new LeftAsItIs("refused", label);
  const columns = mapping.columns.map((name) =>
    name?.startsWith(`${row.of}.`) === true ? name.slice(row.of.length + 1) : null,
  );
  try {
    return await takeBack(rows.controller, { id: row.id, write: row, mapping: { ...mapping, columns } }, transaction);
  } catch (error) {
    throw error instanceof LeftAsItIs
      ? new LeftAsItIs(error.reason === "gone" ? "changed" : error.reason, label)
      : error;
  }
}

async function locked(
  controller: ResourceRequest,
  { id }: WrittenRecord,
  transaction: Transaction,
): Promise<BaseModel> {
  const { model } = controller.registration;
  const key = model.key.parse(id);
  if (key === undefined) throw new LeftAsItIs("gone");
  const query = model.key.where(controller.visibleRecords(transaction), key);
  const record = await query.forUpdate().first();
  if (!record) throw new LeftAsItIs("gone");
  return record;
}

async function authorized(controller: ResourceRequest, action: string, record: BaseModel): Promise<void> {
  await controller.authorizeAction(action, record).catch((error: unknown) => {
    throw isDenial(error) ? new LeftAsItIs("refused", labelOf(controller, record)) : error;
  });
}

/** Puts back what nobody has changed since. */
async function putBack(
  controller: ResourceRequest,
  record: BaseModel,
  { write: { earlier = {} }, mapping }: WrittenRecord,
  transaction: Transaction,
): Promise<void> {
  const names = Object.keys(earlier);
  if (!mayWrite(controller, record, mapping, names)) throw new LeftAsItIs("refused", labelOf(controller, record));
  if (names.length > 0)
    await record.$query(transaction).patch(asColumns(earlier, controller.registration.model) as never);
}

/** Whether all that the file has in these columns may still be written by the person. */
function mayWrite(
  controller: ResourceRequest,
  record: BaseModel,
  { columns }: ImportMapping,
  changed: readonly string[],
): boolean {
  const { registration, params } = controller;
  const permitted = formFields(controller, record, params.nested(registration.key)).names;
  return columns.every((name) => {
    if (name === null || name === "id" || name.includes(".") || permitted.includes(name)) return true;
    return !columnsOfAttribute(controller, name).some((column) => changed.includes(column));
  });
}

function columnsOfAttribute({ registration }: ResourceRequest, name: string): string[] {
  const { column } = registration.attribute(name);
  return [...(column ? [column.name] : []), ...registration.model.columnsOf(name)];
}

/** Whether any row refers to a record, whoever sees it; rows that the import itself has linked do not count. */
async function isReferredTo(
  { registration, resources }: ResourceRequest,
  record: BaseModel,
  { columns }: ImportMapping,
  transaction: Transaction,
): Promise<boolean> {
  const { model } = registration;
  const { database } = resources;
  const own = new Set<string>();
  for (const association of model.associations.values()) {
    if (association.kind === "belongsTo") continue;
    const { hops, target, through, name } = association;
    const first = hops[0]?.to;
    if (columns.includes(name)) own.add(`${first?.table}.${first?.columns.join()}`);
    else if (through === undefined) {
      const rows = database.query(target.class, transaction).where(keysTo(association, record) as never);
      if (await rows.first()) return true;
    }
  }
  const values = record as unknown as Record<string, number>;
  for (const { table, foreignKeys } of database.models())
    for (const key of foreignKeys) {
      if (key.table !== model.table || own.has(`${table}.${key.columns.join()}`)) continue;
      const where = Object.fromEntries(key.columns.map((column, at) => [column, values[key.to[at]!]!]));
      if (await transaction(table).where(where).first(key.columns[0]!)) return true;
    }
  return false;
}
