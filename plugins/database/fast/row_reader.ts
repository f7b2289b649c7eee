import { type Decode, isoInstant } from "../models/codec.ts";
import { BaseModel, type ModelClass } from "../models/model.ts";
import { type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { RecordKey } from "../models/record_key.ts";
import { omittedFrom } from "./omitted_columns.ts";
import { hasKeys, isPlainName } from "./table_packing.ts";

/** A row as the driver gave it, not decoded. */
export type StoredRow = Readonly<Record<string, unknown>>;

type Fill = (record: Record<string, unknown>, row: StoredRow) => void;

/** What objection calls between a row and its record. A model that overrides one gets its records from objection. */
const instanceHooks = ["$parseDatabaseJson", "$setDatabaseJson", "$afterFind"] as const;
const classHooks = ["fromDatabaseJson", "beforeFind", "afterFind"] as const;

/** Fast path: how a model's rows are read without creating records; compiled once for each model. */
export class RowReader {
  /** Why objection has to create the records ("Post listens to afterFind"); undefined where rows can be used. */
  readonly needsRecords: string | undefined;
  readonly #class: ModelClass;
  readonly #key: RecordKey;
  readonly #keyColumn: string | undefined;
  readonly #ignored: readonly string[];
  readonly #names: readonly string[];
  readonly #decoders: ReadonlyMap<string, Decode>;
  readonly #instants: ReadonlySet<string>;
  readonly #fill: Fill | undefined;
  /** Whether objection creates the records. */
  readonly #isPlain: boolean;

  constructor(info: ModelInfo) {
    this.#class = info.class;
    this.#key = info.key;
    this.#keyColumn = info.key.column;
    this.#ignored = info.class.ignoredColumns;
    this.#names = [...info.columns.keys()];
    this.#decoders = new Map(info.decoders);
    this.#instants = new Set([...info.columns.values()].flatMap(({ name, type }) => (type === "datetime" ? name : [])));
    this.#fill = compileFill(this.#names, this.#decoders);
    this.needsRecords = reasonForRecords(info);
    this.#isPlain = this.needsRecords !== undefined || !info.isFast;
  }

  /** The reader of a model's columns as they were last read. */
  static readonly of: (info: ModelInfo) => RowReader = oncePerColumns((info) => new RowReader(info));

  /** The record that objection would make of the row: same class, same values, same own keys in the same order; the row is not changed. */
  record(row: StoredRow): BaseModel {
    if (this.#isPlain) return this.#class.fromDatabaseJson({ ...row }) as unknown as BaseModel;
    const record = new this.#class();
    const values = record as unknown as Record<string, unknown>;
    if (this.#fill && hasKeys(row, this.#names)) this.#fill(values, row);
    else {
      for (const key of Object.keys(row)) if (!this.#ignored.includes(key)) values[key] = this.value(row, key);
      omittedFrom(row)?.guard(record);
    }
    return record;
  }

  /** The record of a row that has more than the model's columns, as of a join: of those alone. */
  recordWithin(row: StoredRow): BaseModel {
    if (this.#isPlain || !this.#fill)
      return this.record(Object.fromEntries(this.#names.map((name) => [name, row[name]])));
    const record = new this.#class();
    this.#fill(record as unknown as Record<string, unknown>, row);
    return record;
  }

  /** A column's value as the record would have it. */
  value(row: StoredRow, column: string): unknown {
    const value = row[column];
    if (value === null || value === undefined) return value;
    const decode = this.#decoders.get(column);
    return decode ? decode(value, row) : value;
  }

  /** The key of a row, as the record would have it. */
  key(row: StoredRow): unknown {
    if (this.#keyColumn !== undefined) return this.value(row, this.#keyColumn);
    return this.#key.of(Object.fromEntries(this.#key.columns.map((name) => [name, this.value(row, name)])));
  }

  /** The same as JSON gives it; a datetime goes straight from stored text to ISO text. */
  json(row: StoredRow, column: string): unknown {
    const value = row[column];
    if (value === null || value === undefined) return value;
    if (this.#instants.has(column)) return isoInstant(value);
    const decode = this.#decoders.get(column);
    return decode ? decode(value, row) : value;
  }
}

/**
 * One assignment a column, which the engine runs several times faster than a loop over names. What goes into the
 * code are the names of a table's columns, and those only when they are plain identifiers: never what is stored in it.
 */
function compileFill(names: readonly string[], decoders: ReadonlyMap<string, Decode>): Fill | undefined {
  if (names.length === 0 || !names.every(isPlainName)) return undefined;
  const given = names.map((name) => decoders.get(name));
  const lines = names.map((name, index) =>
    given[index]
      ? `v = row.${name}; record.${name} = v === null || v === undefined ? v : decoders[${index}](v, row);`
      : `record.${name} = row.${name};`,
  );
  const make = new Function("decoders", `return (record, row) => { let v; ${lines.join("\n")} };`);
  return make(given) as Fill;
}

/** Whether rows can be read along an association: a belongsTo of its own column, to a model whose rows can be used. */
export function isDirect(info: ModelInfo, name: string): boolean {
  const association = info.associations.get(name);
  if (association?.kind !== "belongsTo" || association.through !== undefined) return false;
  return RowReader.of(association.target).needsRecords === undefined;
}

function reasonForRecords({ class: cls, constant, columns, inheritance }: ModelInfo): string | undefined {
  if (inheritance) return `records of ${constant} have the classes that "${inheritance.column}" names`;
  const instance = instanceHooks.find((name) => cls.prototype[name] !== BaseModel.prototype[name]);
  if (instance) return `${constant} has ${instance} of its own`;
  const hook = classHooks.find((name) => cls[name] !== BaseModel[name]);
  if (hook)
    return hook === "fromDatabaseJson" ? `${constant} has ${hook} of its own` : `${constant} listens to ${hook}`;
  const fresh = freshRecord(cls);
  if (!fresh) return `${constant} has a constructor of its own`;
  const column = [...columns.keys()].find((name) => name in cls.prototype || !takesValues(fresh, name));
  return column === undefined ? undefined : `${constant} has "${column}" of its own`;
}

/** A record that the class constructs; undefined where the constructor fails or returns something else. */
function freshRecord(cls: ModelClass): object | undefined {
  try {
    const record = new cls();
    return record instanceof cls && Object.isExtensible(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether what is written to a new record is what is read from it: a plain property, or none yet. */
const takesValues = (record: object, name: string): boolean =>
  Object.getOwnPropertyDescriptor(record, name)?.writable !== false &&
  Object.getOwnPropertyDescriptor(record, name)?.get === undefined;
