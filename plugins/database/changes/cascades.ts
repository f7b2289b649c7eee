import type { Transaction } from "objection";
import type { OnDelete, Reference } from "../drivers/columns.ts";
import { errors } from "../errors.ts";

/** Records that one deletion may take along, or empty a column of, by the database's own rules. */
const MAX_RECORDS = 50_000;
/** Keys of a statement. */
const CHUNK = 500;

/** What is needed of a model: to import it would close a circle of types. */
export interface CascadeModel {
  readonly constant: string;
  readonly table: string;
  readonly parent: unknown;
  readonly foreignKeys: readonly Reference[];
  readonly class: { query(transaction: Transaction): unknown };
}
interface Reading {
  whereInComposite(columns: readonly string[], keys: readonly unknown[]): Reading;
  limit(count: number): Reading;
  forUpdate(): PromiseLike<unknown>;
}
/** Rows of a model that refer to a deleted one. */
interface Referring<M> {
  readonly model: M;
  readonly reference: Reference & { readonly onDelete?: OnDelete };
}
/** The rows that the database changes by itself where others are deleted, by their models, as they were. */
export type Cascaded<M, R> = ReadonlyMap<M, readonly R[]>;

/** What the rules of foreign keys do to records that plugins hear of. */
export class Cascades<M extends CascadeModel, R extends object> {
  readonly #models: readonly M[];
  /** The foreign keys by which rows of a table are deleted or emptied with others, by the table that they refer to. */
  #references: ReadonlyMap<string, readonly Referring<M>[]> | undefined;
  readonly #isHeard: (model: M) => boolean;
  readonly #nameOf: (record: R) => string;
  readonly #byTable = new Map<string, readonly Referring<M>[]>();

  /** `nameOf`: the table of a record and its key. */
  constructor(models: readonly M[], isHeard: (model: M) => boolean, nameOf: (record: R) => string) {
    this.#models = models.filter(({ parent }) => !parent);
    this.#isHeard = isHeard;
    this.#nameOf = nameOf;
  }

  /** Whether deleting a row of a table changes records that are heard of. */
  reaches(table: string): boolean {
    return this.#referringTo(table).length > 0;
  }

  /** What a deletion is about to take along, locked. @throws FW_CHANGE_CASCADE */
  async collect(of: M, records: readonly R[], transaction: Transaction): Promise<Cascaded<M, R>> {
    const found = new Map<M, R[]>();
    const known = new Set(records.map(this.#nameOf));
    let count = 0;
    let level = new Map<string, readonly R[]>(records.length > 0 ? [[of.table, records]] : []);
    while (level.size > 0) {
      const next = new Map<string, R[]>();
      for (const [table, parents] of level)
        for (const referring of this.#referringTo(table))
          for (const row of (await read(referring, parents, transaction)) as R[]) {
            const name = this.#nameOf(row);
            if (known.has(name)) continue;
            known.add(name);
            if (++count > MAX_RECORDS) throw errors.FW_CHANGE_CASCADE(of.constant, MAX_RECORDS);
            added(found, referring.model, row);
            if (referring.reference.onDelete === "cascade") added(next, referring.model.table, row);
          }
      level = next;
    }
    return found;
  }

  /** The models whose rows are heard of, or lead to such ones. */
  #referringTo(table: string, above: readonly string[] = []): readonly Referring<M>[] {
    const known = this.#byTable.get(table);
    if (known) return known;
    this.#references ??= referencesOf(this.#models);
    const found = (this.#references.get(table) ?? []).filter(
      ({ model, reference }) => this.#isHeard(model) || this.#leadsOn(model, reference, [...above, table]),
    );
    if (above.length === 0) this.#byTable.set(table, found);
    return found;
  }
  #leadsOn({ table }: M, { onDelete }: Referring<M>["reference"], above: readonly string[]): boolean {
    return onDelete === "cascade" && !above.includes(table) && this.#referringTo(table, above).length > 0;
  }
}

function referencesOf<M extends CascadeModel>(models: readonly M[]): Map<string, Referring<M>[]> {
  const found = new Map<string, Referring<M>[]>();
  for (const model of models)
    for (const reference of model.foreignKeys)
      if (isDone(reference)) added(found, reference.table, { model, reference });
  return found;
}

const isDone = ({ onDelete }: Referring<unknown>["reference"]): boolean =>
  onDelete === "cascade" || onDelete === "set null";

function added<K, R>(map: Map<K, R[]>, key: K, record: R): void {
  const list = map.get(key);
  if (list) list.push(record);
  else map.set(key, [record]);
}

async function read(
  { model, reference: { columns, to } }: Referring<CascadeModel>,
  parents: readonly object[],
  transaction: Transaction,
): Promise<object[]> {
  const columnOf = (record: object, name: string) => (record as Record<string, unknown>)[name];
  const keys = parents
    .map((record) => to.map((name) => columnOf(record, name)))
    .filter((values) => !values.some((value) => value === null || value === undefined));
  const found: object[] = [];
  for (let start = 0; start < keys.length && found.length <= MAX_RECORDS; start += CHUNK) {
    const query = model.class.query(transaction) as Reading;
    const rows = query.whereInComposite([...columns], keys.slice(start, start + CHUNK));
    found.push(...((await rows.limit(MAX_RECORDS + 1).forUpdate()) as object[]));
  }
  return found;
}
