import { BaseModel, type ColumnInfo, labelColumns, type ModelInfo, oncePerColumns } from "framewright/plugins/database";

/** The columns that the label of a model's records reads, as far as two records show it: one that is empty, and one that is full. */
export interface LabelReads {
  readonly own: ReadonlySet<string>;
  /** Of records that it belongs to. */
  readonly others: readonly (readonly [target: ModelInfo, column: string])[];
}

/** Whether a model leaves `toLabel` as it is, so that its label is the first of the label columns that has a text. */
export const hasStandardLabel = ({ class: { prototype } }: ModelInfo): boolean =>
  prototype.toLabel === BaseModel.prototype.toLabel && !labelColumns.some((name) => name in prototype);

/** What `toLabel` of a model reads; undefined where it can't be tried. */
export const labelReads = oncePerColumns((model: ModelInfo): { reads: LabelReads | undefined } => {
  const own = new Set<string>();
  const others: [ModelInfo, string][] = [];
  if (hasStandardLabel(model)) {
    for (const name of labelColumns) if (model.columns.has(name)) own.add(name);
    return { reads: { own, others } };
  }
  const note = (of: ModelInfo, column: string) => void (of === model ? own.add(column) : others.push([of, column]));
  try {
    for (const isFull of [false, true]) probe(model, isFull, note, MAX_DEPTH).toLabel();
  } catch {
    return { reads: undefined };
  }
  return { reads: { own, others } };
});
const MAX_DEPTH = 3;

/** A record that is not stored, and notes which columns are read of it. */
function probe(
  model: ModelInfo,
  isFull: boolean,
  note: (of: ModelInfo, column: string) => void,
  depth: number,
): BaseModel {
  return new Proxy(new model.class(), {
    get(target, name, self) {
      if (typeof name !== "string") return Reflect.get(target, name, self);
      const column = model.columns.get(model.money[name] ?? name);
      const association = model.associations.get(name);
      const polymorphic = model.polymorphic.get(name);
      if (association?.kind === "belongsTo") for (const own of association.key.columns) note(model, own);
      if (polymorphic) note(model, polymorphic.keyColumn);
      if (column) note(model, column.name);
      if (association && association.kind === "hasMany") return [];
      if (association) return isFull && depth > 0 ? probe(association.target, isFull, note, depth - 1) : null;
      if (column && !(name in model.class.prototype)) return isFull ? sampleOf(column) : null;
      return Reflect.get(target, name, self);
    },
  });
}

function sampleOf({ type, values }: ColumnInfo): unknown {
  if (values) return values[0];
  if (type === "integer" || type === "float") return 1;
  if (type === "boolean") return true;
  return type === "datetime" ? new Date(0) : type === "date" ? "2000-01-01" : "1";
}
