import { BaseModel, fromCents, type ModelInfo } from "framewright/plugins/database";
import { type Attribute, isFileField } from "../definition/attributes.ts";
import { publicFile } from "../operations/file_fields.ts";
import type { Entry } from "./entry.ts";

type Value = (entry: Entry) => unknown;
type Values = Record<string, unknown>;

const labelColumns = ["name", "title", "label", "email"];
const labellers = new WeakMap<object, (entry: Entry) => string>();

/** What people see for an entry: as `toLabel` has it, without a record where the model leaves `toLabel` as it is. */
export function labelOf(model: ModelInfo, entry: Entry): string {
  if (!entry.row) return entry.record.toLabel();
  let label = labellers.get(model.columns);
  if (!label) {
    label = labeller(model);
    labellers.set(model.columns, label);
  }
  return label(entry);
}

function labeller({ class: cls, columns }: ModelInfo): (entry: Entry) => string {
  const own =
    cls.prototype.toLabel !== BaseModel.prototype.toLabel || labelColumns.some((name) => name in cls.prototype);
  if (own) return (entry) => entry.record.toLabel();
  const names = labelColumns.filter((name) => columns.has(name));
  return (entry) => {
    for (const name of names) {
      const value = entry.reader!.value(entry.row!, name);
      if (typeof value === "string" && value !== "") return value;
    }
    return `${cls.name} #${(entry.id as number | null | undefined) ?? "new"}`;
  };
}

const ofRecord =
  (name: string): Value =>
  ({ record }) =>
    (record as unknown as Values)[name];

/** Compiles what an attribute is of an entry; an association excepted, whose entry is asked for by `related`. */
export function attributeValue({ name, column, cents, association }: Attribute, { class: cls }: ModelInfo): Value {
  const fromRecord = ofRecord(name);
  if (association) return fromRecord;
  if (cents !== undefined) {
    return (entry) => {
      if (!entry.row) return fromRecord(entry);
      const stored = entry.reader!.value(entry.row, cents);
      return stored === null || stored === undefined ? stored : fromCents(stored as number);
    };
  }
  if (!column || name in cls.prototype) return fromRecord;
  return (entry) => (entry.row ? entry.reader!.value(entry.row, name) : fromRecord(entry));
}

/** Compiles what an attribute of an entry is as JSON: an association as its id and label. */
export function jsonOf(attribute: Attribute, model: ModelInfo): Value {
  const { name, association, column } = attribute;
  if (association) return relatedJson(name, association.target, ofRecord(name));
  const value = attributeValue(attribute, model);
  if (isFileField(attribute)) return (entry) => publicFile(value(entry));
  if (!column || name in model.class.prototype) return (entry) => plain(value(entry));
  return (entry) => (entry.row ? (entry.reader!.json(entry.row, name) ?? null) : plain(value(entry)));
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));

function relatedJson(name: string, target: ModelInfo, fromRecord: Value): Value {
  const one = (related: BaseModel) => ({ id: related.$id(), label: related.toLabel() });
  return (entry) => {
    if (entry.row) {
      const related = entry.related(name);
      return related ? { id: related.id, label: labelOf(target, related) } : null;
    }
    const value = fromRecord(entry);
    if (Array.isArray(value)) return (value as BaseModel[]).map(one);
    return value ? one(value as BaseModel) : null;
  };
}

/** Whether an attribute is what its row holds, as it stands there. */
export const isStored = ({ name, column, cents, association }: Attribute, { class: cls }: ModelInfo): boolean =>
  column !== undefined && cents === undefined && association === undefined && !(name in cls.prototype);
