import { randomUUID } from "node:crypto";
import {
  type BaseModel,
  type Database,
  ModelInfo,
  problem,
  type Transaction,
  ValidationError,
} from "framewright/plugins/database";
import { takeOutOfUse } from "framewright/plugins/database/marks";
import { type Child, childrenOf } from "./children.ts";
import { BATCH, DELETED_AT, DELETED_BY } from "./columns.ts";
import { keyOf, parentsFirst } from "./order.ts";

/** Moves records to the trash, in the transaction of their deletion. */
export class Removal {
  readonly #database: Database;
  readonly #transaction: Transaction;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #children = new Map<ModelInfo, Child[]>();
  /** What is in the trash by now. */
  readonly #removed = new Set<string>();

  /** `by`: who deletes, as `User/3`. */
  constructor(database: Database, transaction: Transaction, by: string | null) {
    this.#database = database;
    this.#transaction = transaction;
    this.#values = { [DELETED_AT]: new Date(), [DELETED_BY]: by };
  }

  /** @throws ValidationError where records refer to them that are to stay */
  async run(records: readonly BaseModel[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    if (this.#childrenOf(ModelInfo.ofRecord(first)).length === 0) return this.#take(records, null);
    for (const record of records) if (!this.#removed.has(keyOf(record))) await this.#runTree(record);
  }

  async #runTree(root: BaseModel): Promise<void> {
    const tree = new Map([[keyOf(root), root]]);
    const restricting: [BaseModel, BaseModel][] = [];
    const losing: [Child, BaseModel][] = [];
    for (const record of tree.values()) // those that are added come along
      for (const child of this.#childrenOf(ModelInfo.ofRecord(record))) {
        if (child.rule === "nullify") losing.push([child, record]);
        else
          for (const one of await this.#find(child, record))
            if (child.rule === "destroy") tree.set(keyOf(one), tree.get(keyOf(one)) ?? one);
            else restricting.push([record, one]);
      }
    const kept = restricting.find(([, one]) => !tree.has(keyOf(one)));
    if (kept) throw new ValidationError(ModelInfo.ofRecord(kept[0]).constant, { base: [problem("referenced")] });
    for (const [child, record] of losing) await this.#empty(child, record);
    const batch = tree.size > 1 ? randomUUID() : null;
    for (const some of byModel(parentsFirst([...tree.values()]).reverse())) await this.#take(some, batch);
  }

  async #take(records: readonly BaseModel[], batch: string | null): Promise<void> {
    await takeOutOfUse(records, { ...this.#values, [BATCH]: batch }, this.#transaction);
    for (const record of records) this.#removed.add(keyOf(record));
  }
  async #find({ model, keysTo }: Child, record: BaseModel): Promise<BaseModel[]> {
    const query = this.#database.query(model.class, this.#transaction).where(keysTo(record) as never);
    return (await query.forUpdate()) as unknown as BaseModel[];
  }
  /** Those in the trash lose it as well, as by a foreign key. */
  async #empty({ model, keysTo, emptied }: Child, record: BaseModel): Promise<void> {
    const nothing = Object.fromEntries(emptied.map((name) => [name, null]));
    await this.#database.changeRows(model, keysTo(record), nothing, this.#transaction);
  }
  #childrenOf(info: ModelInfo): Child[] {
    const known = this.#children.get(info) ?? childrenOf(info, this.#database.models());
    this.#children.set(info, known);
    return known;
  }
}

/** Neighbours of the same table. */
function byModel(records: readonly BaseModel[]): BaseModel[][] {
  const groups: BaseModel[][] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last && ModelInfo.ofRecord(last[0]!).table === ModelInfo.ofRecord(record).table) last.push(record);
    else groups.push([record]);
  }
  return groups;
}
