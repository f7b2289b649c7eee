import { type BaseModel, type Database, keysTo, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { KeptDeletion, Unlinked } from "./content.ts";
import { type ForeignColumns, isRelinkable, isRestorable, type Reference } from "./restorable.ts";

/** Records that one deletion may take with it, or unlink, so that it can be undone. */
const MAX_RECORDS = 200;

/** A deletion can't be undone whole. */
class NotWhole extends Error {}

/** Where records are looked for. */
export interface CollectedFrom {
  readonly database: Database;
  readonly transaction: Transaction;
  /** The foreign keys of tables without a model. */
  readonly foreign: readonly ForeignColumns[];
  /** Whether it is only to be known what would be deleted: nothing is locked. */
  readonly isTrial?: boolean;
}

/** All that deleting a record is about to delete and to unlink, locked; undefined where it could not be restored whole. */
export async function collectDeletion(from: CollectedFrom, record: BaseModel): Promise<KeptDeletion | undefined> {
  const collector = new Collector(from);
  try {
    await collector.add(record, true);
    return collector.result(record);
  } catch (error) {
    if (error instanceof NotWhole) return undefined;
    throw error;
  }
}

/** Goes to what a record takes with it, as the model and the database do. */
class Collector {
  readonly #from: CollectedFrom;
  readonly #records = new Map<string, BaseModel>();
  readonly #unlinked = new Map<string, { info: ModelInfo; records: BaseModel[]; keys: Record<string, unknown> }>();
  #count = 0;

  constructor(from: CollectedFrom) {
    this.#from = from;
  }

  /** @throws NotWhole */
  async add(record: BaseModel, isByModel: boolean): Promise<void> {
    const info = ModelInfo.ofRecord(record);
    if (this.#records.has(keyOf(record))) return;
    if (!isRestorable(info)) throw new NotWhole();
    this.#records.set(keyOf(record), record);
    this.#counted(1);
    if (isByModel) await this.#addDependents(info, record); // what a foreign key deletes has no `dependent` done
    await this.#addReferring(info, record);
  }

  async #addDependents(info: ModelInfo, record: BaseModel): Promise<void> {
    for (const association of info.associations.values()) {
      const { dependent, through, target, of } = association;
      if (dependent === undefined || dependent === "restrict" || through !== undefined) continue;
      const keys = keysTo(association, record);
      const found = await this.#find(target, keys);
      const emptied = Object.entries(keys).filter(
        ([name]) => association.emptied.includes(name) || name === of?.column,
      );
      if (dependent === "nullify") this.#unlink(target, found, Object.fromEntries(emptied));
      else for (const one of found) await this.add(one, true);
    }
  }

  /** Does with the rows that refer to a record what the rules of their foreign keys do. */
  async #addReferring(info: ModelInfo, record: BaseModel): Promise<void> {
    for (const model of this.#from.database.models()) {
      if (model.parent) continue;
      for (const reference of model.foreignKeys) {
        const { table, columns, onDelete } = reference;
        if (table !== info.table || onDelete === "restrict") continue;
        const keys = keysIn(reference, record);
        const found = (await this.#find(model, keys)).filter((one) => !this.#isKnown(one, columns));
        if (onDelete === "set null") this.#unlink(model, found, keys);
        else if (onDelete === "cascade") for (const one of found) await this.add(one, false);
        else if (found.length > 0) throw new NotWhole();
      }
    }
    for (const { table, references } of this.#from.foreign) {
      if (references.table !== info.table) continue;
      const keys = keysIn(references, record);
      if (Object.values(keys).includes(null)) continue; // nothing refers to it
      if (await this.#from.transaction(table).where(keys).first(references.columns[0]!)) throw new NotWhole();
    }
  }

  async #find({ class: cls }: ModelInfo, keys: Record<string, unknown>): Promise<BaseModel[]> {
    const query = cls.query(this.#from.transaction).where(keys as never);
    if (!this.#from.isTrial) query.forUpdate();
    return (await query.limit(MAX_RECORDS + 1)) as unknown as BaseModel[];
  }
  #isKnown(record: BaseModel, columns: readonly string[]): boolean {
    const { table } = ModelInfo.ofRecord(record);
    const unlinked = columns.flatMap((column) => this.#unlinked.get(`${table}.${column}`)?.records ?? []);
    return this.#records.has(keyOf(record)) || unlinked.some((one) => keyOf(one) === keyOf(record));
  }
  #unlink(info: ModelInfo, records: BaseModel[], keys: Record<string, unknown>): void {
    if (records.length === 0) return;
    if (!isRelinkable(info)) throw new NotWhole();
    this.#counted(records.length);
    for (const name of Object.keys(keys)) this.#unlinked.set(`${info.table}.${name}`, { info, records, keys });
  }
  #counted(more: number): void {
    this.#count += more;
    if (this.#count > MAX_RECORDS) throw new NotWhole();
  }

  result(record: BaseModel): KeptDeletion {
    const records = inOrder([...this.#records.values()]);
    const unlinked = [...new Set(this.#unlinked.values())].flatMap(({ info, records: found, keys }): Unlinked[] => {
      const left = found.filter((one) => !this.#records.has(keyOf(one)));
      const ids = left.map((one) => ModelInfo.keyOf(one)!);
      return ids.length > 0 ? [{ model: info.constant, ids, keys }] : [];
    });
    const rows = records.map((one) => ({
      model: ModelInfo.ofRecord(one).constant,
      row: one.$toDatabaseJson(),
    }));
    return { label: record.toLabel(), rows, root: records.indexOf(record), unlinked };
  }
}

const keyOf = (record: BaseModel): string => `${ModelInfo.ofRecord(record).table}/${ModelInfo.keyOf(record)}`;
const fieldOf = (record: BaseModel, name: string): unknown => (record as unknown as Record<string, unknown>)[name];

/** The columns of a foreign key with what they have of a record that is referred to. */
const keysIn = ({ columns, to }: Reference, record: BaseModel): Record<string, number | null> =>
  Object.fromEntries(columns.map((column, at) => [column, fieldOf(record, to[at]!) as number | null]));

/** The records so that each refers to those before it alone. @throws NotWhole where they refer to each other in a circle */
function inOrder(records: readonly BaseModel[]): BaseModel[] {
  const waiting = new Map(records.map((record) => [keyOf(record), record]));
  const ordered: BaseModel[] = [];
  while (waiting.size > 0) {
    const before = waiting.size;
    for (const [key, record] of [...waiting]) {
      if (referredBy(record).some((other) => other !== key && waiting.has(other))) continue;
      ordered.push(record);
      waiting.delete(key);
    }
    if (waiting.size === before) throw new NotWhole();
  }
  return ordered;
}

function referredBy(record: BaseModel): string[] {
  const { columns, polymorphic, associations } = ModelInfo.ofRecord(record);
  const keys = [...columns.values()].flatMap(({ name, references }) =>
    references ? [`${references.table}/${fieldOf(record, name)}`] : [],
  );
  for (const { kind, target, key } of associations.values())
    if (kind === "belongsTo" && key.isComposite) keys.push(`${target.table}/${key.of(record)}`);
  for (const { typeColumn, keyColumn, targets } of polymorphic.values()) {
    const target = targets.get(String(fieldOf(record, typeColumn)));
    if (target) keys.push(`${target.table}/${fieldOf(record, keyColumn)}`);
  }
  return keys;
}
