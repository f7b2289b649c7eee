import type { Change, ModelInfo } from "framewright/plugins/database";
import { isCredential, isSecret, type Resources } from "framewright/plugins/resources";
import type { AuditChange } from "./contract.ts";

/** What every write changes. */
const unrecorded: ReadonlySet<string> = new Set(["id", "created_at", "updated_at", "lock_version"]);
const MAX_CHARS = 1000;

/** The columns of a change with their values, but those of secrets. */
export function changesOf(change: Change, secrets: ReadonlySet<string>): Record<string, AuditChange> {
  const { kind, before, record } = change;
  const names = change.changed.filter((name) => !unrecorded.has(name));
  const pairs = names.map((name): [string, AuditChange] => [
    name,
    secrets.has(name)
      ? { hidden: true }
      : { from: storedValue(before, name), to: kind === "deleted" ? null : storedValue(record, name) },
  ]);
  return Object.fromEntries(pairs);
}

function storedValue(record: object | undefined, name: string): unknown {
  const value: unknown = record && Reflect.get(record, name);
  const text = JSON.stringify(value) ?? "null";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : (value ?? null);
}

/** The columns of a model whose values are never recorded: encrypted, named as a credential, or entered as a secret. */
export function secretColumns(model: ModelInfo, resources: Resources): ReadonlySet<string> {
  const registrations = resources.registry.all().filter((one) => one.model.table === model.table);
  const names = [...model.columns.keys()].filter(
    (name) =>
      model.encrypted.has(name) ||
      isCredential(name) ||
      registrations.some((one) => one.model.columns.has(name) && isSecret(one.attribute(name))),
  );
  return new Set(names);
}
