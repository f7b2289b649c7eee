import type { Transaction } from "objection";
import type { OnDelete, Reference } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";

/** Records that one deletion may take along, or empty a column of, by the database's own rules. */
const MAX_RECORDS = 50_000;
/** Keys of a statement. */
const CHUNK = 500;

/** Rows of a model that refer to a deleted one. */
interface Referring {
  readonly model: ModelInfo;
  readonly reference: Reference & { readonly onDelete?: OnDelete };
}
/** The rows that the database changes by itself where others are deleted, by their models, as they were. */
export type Cascaded = ReadonlyMap<ModelInfo, readonly BaseModel[]>;

/** What the rules of foreign keys do to records that plugins hear of. */
export class Cascades {
  readonly #models: readonly ModelInfo[];
  readonly #isHeard: (model: ModelInfo) => boolean;
  readonly #byTable = new Map<string, readonly Referring[]>();

  constructor(models: readonly ModelInfo[], isHeard: (model: ModelInfo) => boolean) {
    this.#models = models.filter(({ parent }) => !parent);
    this.#isHeard = isHeard;
  }

  /** Whether deleting a row of a table changes records that are heard of. */
  reaches(table: string): boolean {
    return this.#referringTo(table).length > 0;
  }

  /** What a deletion is about to take along, locked. @throws FW_CHANGE_CASCADE */
  async collect(records: readonly BaseModel[], transaction: Transaction): Promise<Cascaded> {
    const found = new Map<ModelInfo, BaseModel[]>();
    const known = new Set(records.map(nameOf));
    let count = 0;
    const [first] = records;
    let level = new Map<string, readonly BaseModel[]>(first ? [[ModelInfo.ofRecord(first).table, records]] : []);
    while (level.size > 0) {
      const next = new Map<string, BaseModel[]>();
      for (const [table, parents] of level)
        for (const referring of this.#referringTo(table))
          for (const row of await read(referring, parents, transaction)) {
            if (known.has(nameOf(row))) continue;
            known.add(nameOf(row));
            if (++count > MAX_RECORDS) throw errors.FW_CHANGE_CASCADE(ModelInfo.ofRecord(first!).constant, MAX_RECORDS);
            added(found, referring.model, row);
            if (referring.reference.onDelete === "cascade") added(next, referring.model.table, row);
          }
      level = next;
    }
    return found;
  }

  /** The models whose rows are heard of, or lead to such ones. */
  #referringTo(table: string, above: readonly string[] = []): readonly Referring[] {
    const known = this.#byTable.get(table);
    if (known) return known;
    const found = this.#models.flatMap((model) =>
      model.foreignKeys
        .filter((reference) => reference.table === table && isDone(reference))
        .filter((reference) => this.#isHeard(model) || this.#leadsOn(model, reference, [...above, table]))
        .map((reference) => ({ model, reference })),
    );
    if (above.length === 0) this.#byTable.set(table, found);
    return found;
  }
  #leadsOn({ table }: ModelInfo, { onDelete }: Referring["reference"], above: readonly string[]): boolean {
    return onDelete === "cascade" && !above.includes(table) && this.#referringTo(table, above).length > 0;
  }
}

const isDone = ({ onDelete }: Referring["reference"]): boolean => onDelete === "cascade" || onDelete === "set null";
const nameOf = (record: BaseModel): string => `${ModelInfo.ofRecord(record).table} ${ModelInfo.keyOf(record)}`;

function added<K>(map: Map<K, BaseModel[]>, key: K, record: BaseModel): void {
  const list = map.get(key);
  if (list) list.push(record);
  else map.set(key, [record]);
}

async function read(
  { model, reference: { columns, to } }: Referring,
  parents: readonly BaseModel[],
  transaction: Transaction,
): Promise<BaseModel[]> {
  const columnOf = (record: BaseModel, name: string) => (record as unknown as Record<string, unknown>)[name];
  const keys = parents
    .map((record) => to.map((name) => columnOf(record, name)))
    .filter((values) => !values.some((value) => value === null || value === undefined));
  const found: BaseModel[] = [];
  for (let start = 0; start < keys.length && found.length <= MAX_RECORDS; start += CHUNK) {
    const query = model.class
      .query(transaction)
      .whereInComposite([...columns], keys.slice(start, start + CHUNK) as never);
    found.push(...((await query.limit(MAX_RECORDS + 1).forUpdate()) as unknown as BaseModel[]));
  }
  return found;
}
