import { type Change, type ModelInfo, oncePerColumns } from "framewright/plugins/database";
import { isCredential, isSecret, type Resources } from "framewright/plugins/resources";
import type { HistoryChange } from "../contract.ts";

/** What every write changes. */
const TECHNICAL = ["created_at", "updated_at", "lock_version"];
const MAX_CHARS = 1000;
/** Of the changes of one entry together: beyond it each value is cut to a few letters. */
const MAX_BYTES = 60_000;
const FEW_CHARS = 60;

/** The columns of a change with their values, but those of secrets; and as JSON. */
export function changesOf(change: Change, secrets: ReadonlySet<string>) {
  let changes = cutChanges(change, secrets, MAX_CHARS);
  let json = JSON.stringify(changes);
  if (json.length > MAX_BYTES) {
    changes = cutChanges(change, secrets, FEW_CHARS);
    json = JSON.stringify(changes);
  }
  return { changes, json };
}

function cutChanges({ kind, model, before, record, changed }: Change, secrets: ReadonlySet<string>, most: number) {
  const changes: Record<string, HistoryChange> = {};
  for (const name of changed) {
    if (TECHNICAL.includes(name) || model.isKey(name)) continue;
    changes[name] = secrets.has(name)
      ? { secret: true }
      : { from: storedValue(before, name, most), to: kind === "deleted" ? null : storedValue(record, name, most) };
  }
  return changes;
}

function storedValue(record: object | undefined, name: string, most: number): unknown {
  const value: unknown = record && Reflect.get(record, name);
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  if (Buffer.isBuffer(value)) return { $bytes: value.length };
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  if (text.length > most) return { $cut: text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "") };
  return value;
}

/** Whether a stored value is not the whole one. */
export const isCut = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("$cut" in value || "$bytes" in value);

/** The columns of a model whose values are never recorded: encrypted, named as a credential, or entered as a secret. */
export const secretsIn = (resources: Resources) =>
  oncePerColumns((model: ModelInfo): ReadonlySet<string> => {
    const registrations = resources.registry.all().filter((one) => one.model.table === model.table);
    const isEntered = (name: string) =>
      registrations.some((one) => one.model.columns.has(name) && isSecret(one.attribute(name)));
    const names = [...model.columns.keys()];
    return new Set(names.filter((name) => model.encrypted.has(name) || isCredential(name) || isEntered(name)));
  });

/** A stored value as records have it. */
export function revived(model: ModelInfo, name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const column = model.columns.get(name);
  if (isCut(value)) return "$cut" in (value as object) ? `${(value as { $cut: string }).$cut}…` : null;
  return column?.type === "datetime" && typeof value === "string" ? new Date(value) : value;
}
