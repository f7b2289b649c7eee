import type { BaseController } from "framewright/host";
import { type BaseModel, loadPolymorphic, ModelInfo } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { hideReferences } from "./hidden_references.ts";

/** What has to be read along with records that are called by their labels. @throws FW_LABEL_ASSOCIATION */
export function checkLabel({ class: { labelAssociations }, associations, constant }: ModelInfo): void {
  const unknown = labelAssociations.find((name) => !associations.has(name));
  if (unknown !== undefined) throw errors.FW_LABEL_ASSOCIATION(constant, unknown, [...associations.keys()]);
}

/**
 * Reads what the labels of records read besides their own columns, for all of them at once; what the
 * policy of the portal hides is removed. What they have already stays.
 */
export async function loadLabels(controller: BaseController, records: readonly BaseModel[]): Promise<void> {
  const byModel = new Map<ModelInfo, BaseModel[]>();
  for (const record of records) {
    const model = ModelInfo.ofRecord(record);
    if (model.class.labelAssociations.length === 0) continue;
    const known = byModel.get(model);
    if (known) known.push(record);
    else byModel.set(model, [record]);
  }
  for (const [model, own] of byModel) await loadLabelsOf(controller, model, own);
}

async function loadLabelsOf(controller: BaseController, model: ModelInfo, records: BaseModel[]): Promise<void> {
  const { labelAssociations } = model.class;
  const lacks = (record: BaseModel) => labelAssociations.some((name) => Reflect.get(record, name) === undefined);
  const open = records.filter(lacks);
  if (open.length > 0) await model.class.fetchGraph(open, `[${labelAssociations.join(", ")}]`);
  await hideReferences(controller, model, records, labelAssociations);
}

/** Reads what the labels of related records need, all of one kind at once; what the policy of the portal hides is removed. */
export async function loadRelatedLabels(
  controller: BaseController,
  records: readonly BaseModel[],
  model: ModelInfo,
  names: readonly string[],
): Promise<void> {
  const { associations, polymorphic } = model;
  for (const name of names) {
    const several = polymorphic.get(name);
    if (several)
      await loadPolymorphic(
        several,
        records.filter((record) => !(name in record)),
      );
    await hideReferences(controller, model, records, [name]);
    const target = associations.get(name)?.target;
    const { labelAssociations = [] } = target?.class ?? {};
    if (!target || labelAssociations.length === 0) continue;
    const related = records.flatMap(
      (record) => (record as unknown as Record<string, BaseModel | BaseModel[] | null>)[name] ?? [],
    );
    if (related.length > 0) await loadLabelsOf(controller, target, related);
  }
}
