import {
  type AssociationInfo,
  beforeCommit,
  type Database,
  type ModelInfo,
  type Transaction,
} from "framewright/plugins/database";
import type { ErasedRow, Erasure, PersonalSource } from "framewright/plugins/personal_data";
import { labelNames } from "./recording/associated_labels.ts";
import type { Recorder } from "./recording/recorder.ts";
import type { HistoryStore } from "./store.ts";

const TABLE = "framewright_history";
const MAX_ROWS = 200;

/**
 * What a person changed is exported, without the values, which may be of other people. An erasure takes the values of declared
 * columns out of the entries of the person's rows, and the names of the person and their rows out of all.
 */
export function historySource(database: Database, store: HistoryStore, recorder: Recorder): PersonalSource {
  return {
    name: "history",
    async *rows({ type, id }) {
      if (!(await store.isInstalled())) return;
      const person = { type: type.model.constant, id };
      for (let before: { at: Date; id: number } | undefined; ; ) {
        const entries = await store.read({ person, before, limit: MAX_ROWS });
        for (const { at, kind, model, record, portal, means, changes } of entries)
          yield { at, kind, model, record, portal, means, columns: Object.keys(changes) };
        const last = entries.at(-1);
        if (!last || entries.length < MAX_ROWS) return;
        before = { at: last.at, id: last.id };
      }
    },
    async erase(erasure) {
      if (!erasure.hasTable(TABLE)) return;
      recorder.leaveOutValues(erasure.transaction); // also of what goes along with rows that are deleted
      atTheEnd(erasure.transaction, () => forgetPerson(erasure));
    },
    async eraseRows(erasure, model, rows) {
      if (!erasure.hasTable(TABLE)) return;
      atTheEnd(erasure.transaction, async () => {
        await forgetRows(database, erasure, model, rows);
        await forgetInLabels(database, erasure, model, rows);
      });
    },
  };
}

/** Before the commit, and after the entries of the erasure itself, which the outermost transaction has when it is committed. */
function atTheEnd(transaction: Transaction, work: () => Promise<void>): void {
  let outer = transaction;
  for (let next = outerOf(outer); next; next = outerOf(next)) outer = next;
  beforeCommit(outer, async () => beforeCommit(outer, work));
}
const outerOf = (transaction: Transaction): Transaction | undefined =>
  (transaction as { parentTransaction?: Transaction }).parentTransaction;

async function forgetPerson({ person: { type, id }, transaction, label }: Erasure): Promise<void> {
  for (const side of ["person", "actor"])
    await transaction(TABLE)
      .where({ [`${side}_type`]: type.model.constant, [`${side}_id`]: id })
      .update({ [`${side}_label`]: label });
}

async function forgetRows(
  database: Database,
  { transaction }: Erasure,
  model: ModelInfo,
  rows: readonly ErasedRow[],
): Promise<void> {
  const constants = database
    .models()
    .filter(({ table }) => table === model.table)
    .map(({ constant }) => constant);
  const columns = new Map(rows.map(({ key, columns: names }) => [key, new Set(names)]));
  for await (const entries of entriesOf(transaction, constants, [...columns.keys()]))
    for (const { id, record, changes } of entries) {
      const names = columns.get(record);
      if (!names) continue; // a database may take other texts for equal
      const label = model.numberLabel(record).slice(0, 255);
      await transaction(TABLE)
        .where({ id })
        .update({ label, changes: withoutValues(changes, names) });
    }
}

/** Labels of other models' records may have what a row was called (`labelAssociations`): theirs are numbers from now on. */
async function forgetInLabels(
  database: Database,
  { transaction }: Erasure,
  { table }: ModelInfo,
  rows: readonly ErasedRow[],
): Promise<void> {
  const keys = new Set(rows.flatMap(({ key, columns }) => (columns.length > 0 ? [key] : [])));
  if (keys.size === 0) return;
  for (const model of database.models())
    for (const name of labelNames(model)) {
      const association = model.associations.get(name)!;
      if (association.kind !== "belongsTo" || association.target.table !== table) continue;
      for (const record of await recordsOf(model, association, keys, transaction)) {
        const label = model.numberLabel(record).slice(0, 255);
        await transaction(TABLE).where({ model: model.constant, record }).update({ label });
      }
    }
}

/** The keys of the records that belong to rows, or did so once: an erasure records of a reference no more than that it changed. */
async function recordsOf(
  model: ModelInfo,
  { key }: AssociationInfo,
  keys: ReadonlySet<string>,
  transaction: Transaction,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const [column] = key.columns as [string];
  if (key.columns.length === 1 && !model.key.isMissing) {
    const stored = (await transaction(model.table)
      .whereIn(column, [...keys])
      .select(model.key.names)) as object[];
    for (const row of stored) found.add(String(model.key.of(row)));
  }
  const names = (query: Rows) => query.where({ model: model.constant }).where("changes", "like", `%"${column}":%`);
  for await (const entries of entriesWhere(transaction, names))
    for (const { record, changes } of entries) if (leadsTo(changes, key, keys)) found.add(record);
  return found;
}

type Changes = Record<string, { from?: unknown; to?: unknown; secret?: true }>;
function leadsTo(json: string, key: AssociationInfo["key"], keys: ReadonlySet<string>): boolean {
  const changes = JSON.parse(json) as Changes;
  if (key.columns.some((name) => changes[name]?.secret)) return true;
  const before = Object.fromEntries(key.columns.map((name) => [name, changes[name]?.from]));
  const after = Object.fromEntries(key.columns.map((name) => [name, changes[name]?.to]));
  return [before, after].some((side) => keys.has(String(key.of(side))));
}

interface Stored {
  readonly id: number;
  readonly record: string;
  readonly changes: string;
}
type Rows = ReturnType<Transaction>;
const entriesOf = (transaction: Transaction, models: string[], keys: string[]) =>
  entriesWhere(transaction, (query) => query.whereIn("model", models).whereIn("record", keys));

async function* entriesWhere(transaction: Transaction, narrow: (query: Rows) => Rows): AsyncGenerator<Stored[]> {
  for (let last = 0; ; ) {
    const query = narrow(transaction(TABLE) as Rows).where("id", ">", last);
    const rows = (await query.orderBy("id").limit(MAX_ROWS).select("id", "record", "changes")) as Stored[];
    yield rows;
    if (rows.length < MAX_ROWS) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** Changes of which some columns are as those of secrets: that they changed stays, and not what they were. */
function withoutValues(json: string, names: ReadonlySet<string>): string {
  const changes = JSON.parse(json) as Record<string, unknown>;
  for (const name of Object.keys(changes)) if (names.has(name)) changes[name] = { secret: true };
  return JSON.stringify(changes);
}
