import type { Transaction } from "objection";
import { changesOf } from "../changes/record_changes.ts";
import { problem } from "../validation/messages.ts";
import { ValidationError } from "../validation/validation_error.ts";
import { whereOfClass } from "./inheritance.ts";
import type { BaseModel } from "./model.ts";
import { type AssociationInfo, ModelInfo } from "./model_info.ts";
import { keysTo } from "./polymorphic.ts";

/** Does what `dependent:` says, before the record itself is deleted. */
export async function destroyDependents(record: BaseModel, transaction: Transaction): Promise<void> {
  const info = ModelInfo.ofRecord(record);
  for (const association of info.associations.values()) {
    if (association.dependent && !association.through) await destroy(association, record, transaction);
  }
}

async function destroy(association: AssociationInfo, record: BaseModel, transaction: Transaction): Promise<void> {
  const { target, dependent, model } = association;
  const keys = keysTo(association, record);
  const related = () => target.class.query(transaction).where(keys as never);
  if (dependent === "nullify") {
    const nothing = Object.fromEntries(Object.keys(keys).map((column) => [column, null]));
    const changes = changesOf(target.class);
    const before = changes ? ((await related().forUpdate()) as unknown as BaseModel[]) : [];
    await whereOfClass(transaction(target.table).where(keys), target).update(nothing);
    await changes?.reportUpdates(before, target, transaction);
  } else if (dependent === "restrict") {
    if (await related().first()) throw new ValidationError(model.constant, { base: [problem("referenced")] });
  } else {
    for (const one of await related()) await one.$query(transaction).delete();
  }
}
