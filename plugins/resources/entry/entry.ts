import { type BaseModel, type ModelInfo, RowReader, type RowsRead, type StoredRow } from "framewright/plugins/database";

/** What an entry's row is read by, and where what it belongs to is. */
interface Read {
  readonly model: ModelInfo;
  readonly reader: RowReader;
  readonly related: ReadonlyMap<string, readonly (Entry | null)[]>;
}

/**
 * Something that is shown: a record, or a row as the database gave it, whose record is made when somebody looks at it
 * (a policy, a condition, a label of the application's own). What is shown of either is the same.
 */
export class Entry {
  readonly row: StoredRow | undefined;
  readonly reader: RowReader | undefined;
  /** The model of a row; that of a record is known by its class. */
  readonly model: ModelInfo | undefined;
  readonly #read: Read | undefined;
  readonly #index: number;
  #record: BaseModel | undefined;

  constructor(record: BaseModel | undefined, row?: StoredRow, read?: Read, index = 0) {
    this.row = row;
    this.reader = read?.reader;
    this.model = read?.model;
    this.#record = record;
    this.#read = read;
    this.#index = index;
  }

  /** The record, with what was read of its associations. */
  get record(): BaseModel {
    this.#record ??= this.#made();
    return this.#record;
  }
  /** The record, if it is there already. */
  get made(): BaseModel | undefined {
    return this.#record;
  }
  get id(): unknown {
    return this.row ? this.reader!.value(this.row, "id") : this.record.$id();
  }
  /** What the row belongs to; undefined where that was not read. */
  related(name: string): Entry | null | undefined {
    return this.#read?.related.get(name)?.[this.#index];
  }

  #made(): BaseModel {
    const { reader, related } = this.#read!;
    const record = reader.record(this.row!);
    const values = record as unknown as Record<string, unknown>;
    for (const [name, entries] of related) values[name] = entries[this.#index]?.record ?? null;
    return record;
  }
}

/** The entries of rows that were read; those that belong to the same row share it, as records would. */
export function entriesOf(info: ModelInfo, { rows, related }: RowsRead): Entry[] {
  const behind = new Map<string, (Entry | null)[]>();
  for (const [name, those] of related) {
    const { target } = info.associations.get(name)!;
    const read = { model: target, reader: RowReader.of(target), related: nothing };
    const known = new Map<StoredRow, Entry>();
    behind.set(
      name,
      those.map((row) => (row === null ? null : sharedEntry(known, row, read))),
    );
  }
  const read = { model: info, reader: RowReader.of(info), related: behind };
  return rows.map((row, index) => new Entry(undefined, row, read, index));
}

const nothing: Read["related"] = new Map();

function sharedEntry(known: Map<StoredRow, Entry>, row: StoredRow, read: Read): Entry {
  let entry = known.get(row);
  if (!entry) {
    entry = new Entry(undefined, row, read);
    known.set(row, entry);
  }
  return entry;
}
