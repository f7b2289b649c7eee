import { BaseModel, ModelInfo } from "framewright/plugins/database";
import { accountId } from "framewright/plugins/portals";
import type { HistoryPerson } from "../contract.ts";

const MAX_LABEL = 255;

/** The person of an account; null for nobody. */
export function personOf(account: unknown): HistoryPerson | null {
  if (typeof account !== "object" || account === null) return null;
  if (account instanceof BaseModel) {
    const model = ModelInfo.ofRecord(account);
    return { type: model.constant, id: String(ModelInfo.keyOf(account)), label: labelOf(account, model) };
  }
  const id = accountId(account);
  return id === undefined ? null : { type: null, id, label: nameOf(account) ?? id };
}

/** What a record is called. */
export function labelOf(record: BaseModel, model: ModelInfo): string {
  try {
    return record.toLabel().slice(0, MAX_LABEL);
  } catch {
    return model.numberLabel(ModelInfo.keyOf(record)).slice(0, MAX_LABEL); // it reads what was not loaded
  }
}

/** A record without the secrets that its label may be built from: a copy where it has any. */
export const withoutSecrets = (record: BaseModel, secrets: ReadonlySet<string>): BaseModel =>
  secrets.size === 0 ? record : copyWithout(record, secrets);

/** A copy of a record as it is now, without secrets. */
export function copyWithout(record: BaseModel, secrets: ReadonlySet<string>): BaseModel {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(record) as object), record) as BaseModel;
  for (const name of secrets) Reflect.deleteProperty(copy, name);
  return copy;
}

function nameOf(account: object): string | undefined {
  const { name, email } = account as { name?: unknown; email?: unknown };
  const found = [name, email].find((one): one is string => typeof one === "string" && one !== "");
  return found?.slice(0, MAX_LABEL);
}
