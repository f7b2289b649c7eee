import { BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import { type DeletedRecords, recordName } from "framewright/plugins/scoping";
import { labelOf, withoutSecrets } from "./person.ts";

type Row = Record<string, unknown>;

/** A record as it was at its change, whose label reads other records as well. */
export interface Unlabelled {
  /** A copy, without secrets: the application's own record must not get associations that it has not read. */
  readonly copy: BaseModel;
  readonly model: ModelInfo;
}
export interface LabelSource {
  readonly transaction: Transaction;
  /** What the transaction deleted: the database has no row any more that a deleted record belonged to. */
  readonly deleted: DeletedRecords;
  secretsOf(model: ModelInfo): ReadonlySet<string>;
}

/** The associations that the label of a model reads; none for most models. */
export const labelNames = ({ class: { labelAssociations }, associations }: ModelInfo): readonly string[] =>
  labelAssociations.length === 0 ? labelAssociations : labelAssociations.filter((name) => associations.has(name));

/** The labels of records, in their order: what they read of other records is read for all of a model at once. */
export async function associatedLabels(records: readonly Unlabelled[], source: LabelSource): Promise<string[]> {
  const byModel = new Map<ModelInfo, BaseModel[]>();
  for (const { model, copy } of records) {
    const known = byModel.get(model);
    if (known) known.push(copy);
    else byModel.set(model, [copy]);
  }
  for (const [model, copies] of byModel) await associate(model, copies, source);
  return records.map(({ model, copy }) => labelOf(copy, model));
}

async function associate(model: ModelInfo, copies: readonly BaseModel[], source: LabelSource): Promise<void> {
  const names = labelNames(model);
  const { transaction } = source;
  await model.class.fetchGraph(copies as BaseModel[], `[${names.join(", ")}]`, { transaction });
  for (const name of names)
    for (const copy of copies) {
      const values = copy as unknown as Row;
      values[name] = bare(values[name] ?? deletedParent(model, name, copy, source), source);
    }
}

function deletedParent(model: ModelInfo, name: string, copy: BaseModel, { deleted }: LabelSource): BaseModel | null {
  const { kind, key, target } = model.associations.get(name)!;
  return (kind === "belongsTo" && deleted.get(recordName(target, key.of(copy)))) || null;
}

function bare(value: unknown, source: LabelSource): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one, source));
  return value instanceof BaseModel ? withoutSecrets(value, source.secretsOf(ModelInfo.ofRecord(value))) : value;
}
