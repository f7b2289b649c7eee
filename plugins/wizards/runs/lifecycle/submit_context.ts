import {
  type BaseModel,
  type Database,
  type ModelClass,
  ModelInfo,
  type Query,
  type Transaction,
} from "framewright/plugins/database";
import type { Run, StepContext, SubmitContext, WizardFlow } from "../../contract/index.ts";
import { errors } from "../../errors.ts";
import { fail } from "../failure.ts";
import type { RunContent } from "../run.ts";

type Entry = Run["persisted"][number];
/** The records that a run's steps persisted and that still exist, by key. */
export async function persistedRecords(
  database: Database,
  entries: readonly Entry[],
  transaction?: Transaction,
): Promise<Record<string, BaseModel>> {
  const records: Record<string, BaseModel> = {};
  for (const entry of entries) {
    const record = await recordOf(database, entry, transaction);
    if (record) records[entry.key] = record;
  }
  return records;
}

async function recordOf(database: Database, { model, id }: Entry, transaction?: Transaction) {
  const info = database.models().find(({ constant }) => constant === model); // a deploy may have removed it
  return info && ((await info.key.where(info.class.query(transaction), id).first()) as BaseModel | undefined);
}

/** The argument of a step's `onSubmit` and `onRollback`; records that they persist are added to the run's content. */
export async function submitContext(
  { database, flow, transaction }: { database: Database; flow: WizardFlow; transaction: Transaction },
  { content, step, context }: { content: RunContent; step: string; context: StepContext },
): Promise<SubmitContext> {
  const persisted = await persistedRecords(database, content.persisted, transaction);
  const place = context.place ?? { portal: undefined, isScoped: false, entity: undefined };
  const query = <M extends BaseModel>(model: { new (): M }): Query<M> => database.queryIn(place, model, transaction);
  return {
    ...context,
    data: flow.data(content.staged),
    persisted,
    query,
    unscopedQuery: <M extends BaseModel>(model: { new (): M }): Query<M> => database.query(model, transaction),
    async persist<M extends BaseModel>(key: string, model: { new (): M }, values: object) {
      const { constant } = database.model(model as unknown as ModelClass);
      const known = content.persisted.find((entry) => entry.key === key);
      if (known && known.model !== constant) throw errors.FW_WIZARD_PERSIST(step, key, known.model, constant);
      const before = persisted[key] as M | undefined;
      const record = before ?? ((await query(model).insert(values as never)) as unknown as M);
      if (before) await before.$query(transaction).patch(values as never);
      persisted[key] = record;
      const kept = { key, step: known?.step ?? step, model: constant, id: String(ModelInfo.keyOf(record)) };
      content.persisted = known
        ? content.persisted.map((entry) => (entry === known ? kept : entry))
        : [...content.persisted, kept];
      return record;
    },
    fail,
  };
}
