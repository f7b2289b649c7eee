import { type BaseModel, keysTo, type Transaction } from "framewright/plugins/database";
import { labelOf, type ResourceController } from "framewright/plugins/resources";
import { formFields, isDenial } from "framewright/plugins/resources/toolkit";
import type { ImportMapping, KeptWrite } from "./content.ts";
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
}

/** What an import wrote of one record. */
export interface WrittenRecord {
  readonly id: string;
  readonly write: KeptWrite;
  readonly mapping: ImportMapping;
}

/** Removes a record that an import made, or puts back what it had before; the policy is asked as for any request. @throws LeftAsItIs, ValidationError */
export async function takeBack(
  controller: ResourceController,
  about: WrittenRecord,
  transaction: Transaction,
): Promise<TakenBack> {
  const record = await locked(controller, about, transaction);
  const { earlier, written } = about.write;
  await authorized(controller, earlier ? "update" : "destroy", record);
  if (earlier) return { kind: "updated", record: await putBack(controller, record, about, transaction) };
  if (!hasValues(record, written)) throw new LeftAsItIs("changed", labelOf(controller, record));
  if (await isReferredTo(controller, record, about.mapping, transaction))
    throw new LeftAsItIs("used", labelOf(controller, record));
  await record.$query(transaction).delete();
  return { kind: "destroyed", record };
}

async function locked(
  controller: ResourceController,
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

async function authorized(controller: ResourceController, action: string, record: BaseModel): Promise<void> {
  await controller.authorizeAction(action, record).catch((error: unknown) => {
    throw isDenial(error) ? new LeftAsItIs("refused", labelOf(controller, record)) : error;
  });
}

/** Puts back what nobody has changed since. */
async function putBack(
  controller: ResourceController,
  record: BaseModel,
  { write: { earlier = {}, written }, mapping }: WrittenRecord,
  transaction: Transaction,
): Promise<BaseModel> {
  const names = Object.keys(earlier);
  if (!mayWrite(controller, record, mapping, names)) throw new LeftAsItIs("refused", labelOf(controller, record));
  if (!hasValues(record, written)) throw new LeftAsItIs("changed", labelOf(controller, record));
  if (names.length > 0)
    await record.$query(transaction).patch(asColumns(earlier, controller.registration.model) as never);
  return record;
}

/** Whether all that the file said of these columns may still be written by the person. */
function mayWrite(
  controller: ResourceController,
  record: BaseModel,
  { columns }: ImportMapping,
  changed: readonly string[],
): boolean {
  const { registration, params } = controller;
  const permitted = formFields(controller, record, params.nested(registration.key)).names;
  return columns.every((name) => {
    if (name === null || name === "id" || permitted.includes(name)) return true;
    return !columnsOfAttribute(controller, name).some((column) => changed.includes(column));
  });
}

function columnsOfAttribute({ registration }: ResourceController, name: string): string[] {
  const { column, association, polymorphic } = registration.attribute(name);
  const key = association?.kind === "belongsTo" ? [association.foreignKey] : [];
  return [
    ...(column ? [column.name] : []),
    ...key,
    ...(polymorphic ? [polymorphic.typeColumn, polymorphic.keyColumn] : []),
  ];
}

/** Whether any row refers to a record, whoever sees it; rows that the import itself has linked do not count. */
async function isReferredTo(
  { registration, resources }: ResourceController,
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
    if (columns.includes(name)) own.add(`${first?.table}.${first?.column}`);
    else if (through === undefined) {
      const rows = database.query(target.class, transaction).where(keysTo(association, record) as never);
      if (await rows.first()) return true;
    }
  }
  for (const { table, columns: all } of database.models())
    for (const { name, references } of all.values()) {
      if (references?.table !== model.table || own.has(`${table}.${name}`)) continue;
      const key = (record as unknown as Record<string, unknown>)[references.column];
      if (
        await transaction(table)
          .where(name, key as number)
          .first(name)
      )
        return true;
    }
  return false;
}
