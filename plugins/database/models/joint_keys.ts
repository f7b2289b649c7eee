import type { KeyValue, RecordKey } from "./record_key.ts";

/** What is used of an association. */
interface Reference {
  readonly kind: string;
  readonly through?: string;
  readonly key: RecordKey;
  readonly emptied: readonly string[];
}
interface References<A extends Reference> {
  readonly key: Pick<RecordKey, "columns">;
  readonly associations: ReadonlyMap<string, A>;
}
/** What is about to be written to a record. */
export interface ReferenceWrite<A> {
  readonly columns: Record<string, unknown>;
  /** The stored record; undefined for a new one. */
  readonly record: object | undefined;
  /** The keys of what associations of several columns are to refer to; null for nothing. */
  readonly written: ReadonlyMap<A, KeyValue | null>;
}
/** What became of them. */
export interface WrittenReferences<A> {
  /** Those that columns which stay do not allow. */
  readonly refused: readonly A[];
  /** What the record refers to after the write, and did not before, by columns that were written one by one. */
  readonly others: readonly (readonly [association: A, key: KeyValue])[];
}

/**
 * Puts the columns of references into what is written. Those that the record's own key or another association has stay as they
 * are: they are not emptied, and a key that has other values is refused.
 */
export function writeReferences<A extends Reference>(
  model: References<A>,
  write: ReferenceWrite<A>,
): WrittenReferences<A> {
  const { columns, record, written } = write;
  const refused = [...written].filter(([one, key]) => !assign(model, one, key, write)).map(([one]) => one);
  const others = [...model.associations.values()].flatMap((association): [A, KeyValue][] => {
    const { kind, through, key } = association;
    if (kind !== "belongsTo" || through !== undefined || !key.isComposite || written.has(association)) return [];
    const after = key.of({ ...record, ...columns });
    return after === undefined || after === null || (record && key.of(record) === after) ? [] : [[association, after]];
  });
  return { refused, others };
}

function assign<A extends Reference>(
  model: References<A>,
  association: A,
  key: KeyValue | null,
  write: ReferenceWrite<A>,
): boolean {
  const { columns } = write;
  if (key === null) {
    for (const column of association.emptied) columns[column] ??= null;
    return association.emptied.length > 0;
  }
  const values = association.key.row(key);
  const fits = Object.entries(values).every(([column, value]) => {
    const fixed = column in columns ? columns[column] : stored(model, association, column, write);
    return value !== null && (fixed === undefined || String(fixed) === String(value));
  });
  if (fits) Object.assign(columns, values);
  return fits;
}

/** The value of a column that a reference may not change; undefined for one that is the reference's own, or empty. */
function stored<A extends Reference>(
  { key, associations }: References<A>,
  association: A,
  column: string,
  { record, written }: ReferenceWrite<A>,
): unknown {
  const isShared = [...associations.values()].some(
    (other) =>
      other !== association && !written.has(other) && other.kind === "belongsTo" && other.key.columns.includes(column),
  );
  if (!record || !(isShared || key.columns.includes(column))) return undefined;
  return (record as Record<string, unknown>)[column] ?? undefined;
}
