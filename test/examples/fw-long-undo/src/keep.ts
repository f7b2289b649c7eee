import { randomUUID } from "node:crypto";
import { type BaseModel, type Database, keysTo, ModelInfo, type Transaction } from "framewright/plugins/database";
import { rowOwner } from "framewright/plugins/portals";
import { labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { type DeletionNotice, type Destroying, filesOf } from "framewright/plugins/resources/toolkit";
import type { Deletions } from "./deletions.ts";
import { mayRestore, restoreUrl } from "./permissions.ts";

/** What a request has deleted and can be restored, by the ids of the records. */
interface Batch {
  readonly key: string;
  readonly ids: Set<string>;
}

/** Keeps what people delete, and says so. */
export class Keeper {
  readonly #database: Database;
  readonly #deletions: Deletions;
  readonly #days: number;
  readonly #batches = new WeakMap<ResourceRequest, Batch>();

  constructor(database: Database, deletions: Deletions, days: number) {
    this.#database = database;
    this.#deletions = deletions;
    this.#days = days;
  }

  /** Stores a record that is about to be deleted, in the transaction that deletes it. */
  async keep({ controller, record, transaction }: Destroying): Promise<void> {
    if (!mayRestore(controller) || !(await this.#isAlone(controller, record, transaction))) return;
    const batch = this.#batches.get(controller) ?? { key: randomUUID(), ids: new Set() };
    this.#batches.set(controller, batch);
    const model = ModelInfo.ofRecord(record).constant;
    const deleted = { label: labelOf(controller, record), model, row: record.$toDatabaseJson() };
    await this.#deletions.insert(
      rowOwner(controller, controller.registration.constant),
      batch.key,
      deleted,
      transaction,
    );
    batch.ids.add(String(record.$id()));
  }

  async question(records: readonly BaseModel[], controller: ResourceRequest): Promise<string | undefined> {
    if (!mayRestore(controller)) return undefined;
    for (const record of records) if (!(await this.#isAlone(controller, record))) return undefined;
    return controller.t("long_undo.question", { days: this.#days });
  }

  notice(ids: readonly unknown[], controller: ResourceRequest): DeletionNotice | undefined {
    const batch = this.#batches.get(controller);
    if (!batch || ids.length === 0 || !ids.every((id) => batch.ids.has(String(id)))) return undefined;
    const action = { label: controller.t("long_undo.restore"), url: restoreUrl(controller, batch.key) };
    return { text: controller.t("long_undo.offer", { days: this.#days }), action };
  }

  /** Whether nothing goes with a record, and nothing refers to it: a row alone is restored whole. */
  async #isAlone(controller: ResourceRequest, record: BaseModel, transaction?: Transaction): Promise<boolean> {
    if (filesOf(controller, record).length > 0) return false;
    const { table, associations } = ModelInfo.ofRecord(record);
    const reader = transaction ?? this.#database.knex;
    const keys = [...associations.values()].flatMap((association) =>
      association.dependent === undefined || association.through !== undefined
        ? []
        : [{ table: association.target.table, where: keysTo(association, record) }],
    );
    for (const model of this.#database.models())
      for (const { name, references } of model.columns.values())
        if (references?.table === table)
          keys.push({ table: model.table, where: { [name]: Reflect.get(record, references.column) } });
    for (const { table: other, where } of keys)
      if (await reader(other).where(where).first(reader.raw("1"))) return false;
    return true;
  }
}
