import { type ColumnInfo, foreignKeysOf, type OnDelete, type Reference, type UniqueIndex } from "../drivers/columns.ts";
import type { ColumnCipher } from "../encryption/column_cipher.ts";
import { errors } from "../errors.ts";
import type { Rules } from "../validation/declared_rules.ts";
import type { Association } from "./associations.ts";
import { changedValues } from "./changed_values.ts";
import { type Convert, type Decode, decoder, encoder, isLargeInteger } from "./codec.ts";
import { minorDigits } from "./currency_digits.ts";
import type { Inheritance } from "./inheritance.ts";
import { type ReferenceWrite, type WrittenReferences, writeReferences } from "./joint_keys.ts";
import type { BaseModel, ModelClass } from "./model.ts";
import { type ParamRule, reservedParams } from "./param_key.ts";
import { type KeyValue, RecordKey } from "./record_key.ts";
import type { ReferenceKey } from "./reference_key.ts";
import type { RowMark } from "./row_mark.ts";
import { isVersion, versionOf } from "./stored_version.ts";

/** Columns of a table that have the values of as many of another. */
export interface HopEnd {
  readonly table: string;
  readonly columns: readonly string[];
}
/** One step from a table to the next. */
export interface Hop {
  from: HopEnd;
  to: HopEnd;
  /** Whether it leads from a foreign key to the key of one row. */
  toKey?: boolean;
  /** What the rows of the table that it leads to must have, where they refer to records of several models. */
  of?: TypeCondition;
  /** The column that has no value in those of them that are in use. */
  mark?: string;
}
/** The column that names the model of the record that a row refers to, and the name. */
export interface TypeCondition {
  column: string;
  name: string;
}

/** An association as the boot found it. */
export interface AssociationInfo {
  name: string;
  kind: Association["kind"];
  model: ModelInfo;
  readonly target: ModelInfo;
  /**
   * The foreign key: of belongsTo in the model's own table, else in the target's, or in the first table on the path. Its columns
   * are in the order of those that they refer to, and of a row it is the key of the record that the row refers to, as one value.
   */
  readonly key: ReferenceKey;
  /** The columns of the key that are emptied where a record is to refer to none: what its own key and other associations need stays. */
  readonly emptied: readonly string[];
  through?: string;
  source?: string;
  optional: boolean;
  dependent?: "destroy" | "nullify" | "restrict";
  /** Of has-many and has-one whose records refer to several models: which of them are this model's. */
  of?: TypeCondition;
  /** The path to the target, table by table; one step unless it goes through another association. */
  hops: readonly Hop[];
}

/** A belongsTo with records of several models, as the boot found it. */
export interface PolymorphicInfo {
  name: string;
  readonly model: ModelInfo;
  /** The column of the target's name. */
  typeColumn: string;
  /** The column of the target's key. */
  keyColumn: string;
  optional: boolean;
  /** By the names that are stored; of single-table inheritance that of the class that declares it. */
  targets: ReadonlyMap<string, ModelInfo>;
}

type Codec = readonly (readonly [column: string, convert: Decode])[];
const noCiphers: ReadonlyMap<string, ColumnCipher> = new Map();
const key = Symbol.for("framewright.model");

/** A model: its class, and what was read of its table. */
export class ModelInfo {
  readonly class: ModelClass;
  /** As in `Blogging::Post`. */
  readonly constant: string;
  readonly table: string;
  /** How its records are identified. */
  readonly key: RecordKey;
  /** The column of the key; of several columns the first, and empty where there is none. */
  readonly primaryKey: string;
  readonly file: string;
  /** Empty as long as the table does not exist. */
  columns: ReadonlyMap<string, ColumnInfo> = new Map();
  associations: ReadonlyMap<string, AssociationInfo> = new Map();
  /** The associations of belongsTo with records of several models. */
  polymorphic: ReadonlyMap<string, PolymorphicInfo> = new Map();
  /** What a record may carry without a column: money, associations, accepted terms. */
  virtual: ReadonlySet<string> = new Set();
  /** Whether the table could be read from the database. */
  known = true;
  /** Whether its rows may be read without objection: see fast/. */
  isFast = true;
  /** Whether migrations have not run that may change the table. */
  pending = false;
  /** The values that columns take; of single-table inheritance also the names of its classes. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** The associations by the columns of their keys, of the associations as they were linked last. */
  #references: { of: ModelInfo["associations"]; byColumn: Map<string, readonly AssociationInfo[]> } | undefined;
  #choices: Readonly<Record<string, readonly string[]>> | undefined;
  /** The model that the class extends, and the classes of the table, with single-table inheritance. */
  parent: ModelInfo | undefined;
  inheritance: Inheritance | undefined;
  /** Which of its rows are out of use; undefined where all are in use. */
  mark: RowMark | undefined;
  /** The ciphers of columns whose values are encrypted. */
  encrypted: ReadonlyMap<string, ColumnCipher> = noCiphers;
  /** Whether its records get a UUID as their key. */
  hasUuid = false;
  /** What may not be in an address in place of a record, since routes have it. */
  readonly reservedParams: Set<string> = new Set(reservedParams);
  /** What else a value must be that names a record in addresses, as a label of host names; added before requests are served. */
  readonly paramRules: ParamRule[] = [];
  /** The unique indexes; read for models whose slugs have a scope. */
  uniques: readonly UniqueIndex[] = [];
  /** The columns within which slugs are unique; empty for the whole table. */
  slugScope: readonly string[] = [];
  decoders: Codec = [];
  encoders: ReadonlyMap<string, Convert> = new Map();

  constructor(constant: string, cls: ModelClass, file: string) {
    this.class = cls;
    this.constant = constant;
    this.table = cls.tableName;
    this.key = new RecordKey(cls.tableName, [cls.idColumn].flat(), this.reservedParams);
    this.primaryKey = this.key.columns[0] ?? "";
    this.file = file;
    this.enums = cls.enums;
    Object.defineProperty(cls, key, { value: this, configurable: true });
  }

  /** @throws FW_MODEL_UNKNOWN for a class that was not registered */
  static of(cls: unknown): ModelInfo {
    const info = (cls as { [key]?: ModelInfo })[key];
    if (!info) throw errors.FW_MODEL_UNKNOWN((cls as { name?: string }).name ?? String(cls), undefined);
    return info;
  }

  /** The model that a class itself was registered as. */
  static own(cls: object): ModelInfo | undefined {
    return Object.hasOwn(cls, key) ? (cls as { [key]?: ModelInfo })[key] : undefined;
  }

  static ofRecord(record: BaseModel): ModelInfo {
    return ModelInfo.of(record.constructor);
  }
  /** The key of a record as one value, also where it has several columns; undefined as long as it has none. */
  static keyOf(record: BaseModel): KeyValue | undefined {
    const { key } = ModelInfo.ofRecord(record);
    return ((key.columns.length === 1 ? record.$id() : key.of(record)) ?? undefined) as KeyValue | undefined;
  }

  /** What people see for a record that has nothing else: "Blog post #3". */
  numberLabel(key: KeyValue | null | undefined): string {
    const name = this.class.name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (this.key.isMissing) return name;
    const values = key === null || key === undefined ? ["new"] : (this.key.values(key) ?? [key]);
    return `${name} #${values.join(", ")}`;
  }
  /** Whether a name refers to the key: that of its column, and "id" where no column is called so. */
  isKey(name: string): boolean {
    return (name === this.primaryKey && !this.key.isComposite) || (name === "id" && !this.columns.has("id"));
  }
  /** The column by which addresses name a record. */
  get paramKey(): string {
    return this.class.paramKey === "id" ? this.primaryKey : this.class.paramKey;
  }
  get money(): Record<string, string> {
    return this.class.money;
  }
  /** The decimals of an amount of money. */
  digitsOf(name: string): number {
    return minorDigits(this.class.currencies[name]);
  }
  /** This model, and those that its class extends, with single-table inheritance. */
  get lineage(): readonly ModelInfo[] {
    return this.parent ? [this, ...this.parent.lineage] : [this];
  }
  /** What people choose from for columns of few values: an enum's values, or the texts of an inclusion rule. */
  get choices(): Readonly<Record<string, readonly string[]>> {
    this.#choices ??= { ...listsOf(this.class.validations), ...this.enums };
    return this.#choices;
  }
  /** Whether records count their changes, in `lock_version`: in a table that was there before it may be anything. */
  get isVersioned(): boolean {
    const column = this.columns.get("lock_version");
    return (column?.type === "integer" || column?.type === "bigint") && column.writer === undefined;
  }
  /** The version of a row for the stale check, from the values of its columns: see stored_version.ts. */
  versionOf(valueAt: (column: string) => unknown): string {
    return versionOf(this, valueAt);
  }
  /** Whether a row still is as it was when it had this version. */
  isVersion(version: string, valueAt: (column: string) => unknown): boolean {
    return isVersion(version, this, valueAt);
  }
  /** Of values by column those that differ from a record's: what nobody touched is not written. `isForm`: a browser sent them. */
  changedValues(record: object, values: Readonly<Record<string, unknown>>, from: { isForm?: boolean } = {}) {
    return changedValues(this, record, values, from);
  }
  /**
   * The columns that have the value of a name: of a belongsTo those of its foreign key, of an amount the cents, else the column of
   * that name. Of a polymorphic association that of the key comes first.
   */
  columnsOf(name: string): readonly string[] {
    const reference = this.polymorphic.get(name);
    if (reference) return [reference.keyColumn, reference.typeColumn];
    const association = this.associations.get(name);
    return association?.kind === "belongsTo" ? association.key.columns : [this.money[name] ?? name];
  }
  /** Its belongsTo associations that have a column: those of this column alone, then those of it and others. */
  referencesBy(column: string): readonly AssociationInfo[] {
    if (this.#references?.of !== this.associations) this.#references = { of: this.associations, byColumn: new Map() };
    const { of, byColumn } = this.#references;
    let found = byColumn.get(column);
    if (!found) {
      const owning = [...of.values()].filter(
        ({ kind, key: own }) => kind === "belongsTo" && own.columns.includes(column),
      );
      found = owning.sort((a, b) => Number(a.key.isComposite) - Number(b.key.isComposite));
      byColumn.set(column, found);
    }
    return found;
  }
  /** Writes references of several columns into what is about to be written: see joint_keys.ts. */
  writeReferences(write: ReferenceWrite<AssociationInfo>): WrittenReferences<AssociationInfo> {
    return writeReferences(this, write);
  }
  /** The foreign keys of its table. */
  get foreignKeys(): readonly Reference[] {
    return [...this.columns.values()].flatMap(foreignKeysOf);
  }
  /** What the database does to the rows whose foreign key refers to a deleted record, where the driver reports it. */
  onDelete({ columns }: Pick<RecordKey, "columns">): OnDelete | undefined {
    const isSame = (own: readonly string[]) =>
      own.length === columns.length && own.every((name) => columns.includes(name));
    return this.foreignKeys.find((key) => isSame(key.columns))?.onDelete;
  }
  /** Whether a boolean column may have neither yes nor no, and a new record begins so. */
  mayBeNeither(name: string): boolean {
    const column = this.columns.get(name);
    return column?.type === "boolean" && column.nullable && !column.hasDefault && !(name in this.class.defaults);
  }
  get scopes(): readonly string[] {
    return Object.keys(this.class.scopes);
  }
  /** Whether the table was there at boot. */
  get exists(): boolean {
    return this.columns.size > 0;
  }

  /** Whether the columns are those that the code is written for: only then a name that none of them has is a mistake. */
  get settled(): boolean {
    return this.exists && !this.pending;
  }

  /** The columns were read: what is known of them is prepared. */
  describe(columns: readonly ColumnInfo[], ciphers = noCiphers): void {
    this.#choices = undefined;
    this.columns = new Map(columns.map((column) => [column.name, column]));
    this.key.describe(this.columns);
    this.encrypted = ciphers;
    this.hasUuid = this.columns.get(this.primaryKey)?.type === "uuid";
    this.decoders = columns.flatMap((column) => pair<Decode>(column, this.#decoder(column)));
    this.encoders = new Map(columns.flatMap((column) => pair<Convert>(column, this.#encoder(column))));
  }

  /** Marks columns whose whole numbers are numbers: those that refer to records by associations, of whichever model, and cents of money. */
  markNumbers(names: ReadonlySet<string>): void {
    const columns = [...this.columns.values()];
    if (!columns.some((column) => names.has(column.name) && isLargeInteger(column))) return;
    const marked = columns.map((column) => (names.has(column.name) ? { ...column, asNumber: true } : column));
    this.describe(marked, this.encrypted);
  }

  #decoder(column: ColumnInfo): Decode | undefined {
    const cipher = this.encrypted.get(column.name);
    return cipher ? (value, row) => cipher.decrypt(value, row) : decoder(column);
  }
  #encoder(column: ColumnInfo): Convert | undefined {
    const cipher = this.encrypted.get(column.name);
    return cipher ? (value) => cipher.encrypt(value) : encoder(column);
  }
}

/** Caches what is derived from a model and its columns, until its columns are read again. */
export function oncePerColumns<T>(derive: (info: ModelInfo) => T): (info: ModelInfo) => T {
  const cached = new WeakMap<object, T>();
  return (info) => {
    const known = cached.get(info.columns);
    if (known !== undefined) return known;
    const derived = derive(info);
    cached.set(info.columns, derived);
    return derived;
  };
}

const pair = <C>({ name }: ColumnInfo, convert: C | undefined): [string, C][] => (convert ? [[name, convert]] : []);

/** The lists of the inclusion rules whose values are all texts, by attribute. */
function listsOf(validations: Record<string, Rules>): Record<string, readonly string[]> {
  const lists: Record<string, readonly string[]> = {};
  for (const [name, { inclusion }] of Object.entries(validations)) {
    const list = inclusion && ("in" in inclusion ? inclusion.in : inclusion);
    if (list?.every((value) => typeof value === "string")) lists[name] = list as readonly string[];
  }
  return lists;
}
