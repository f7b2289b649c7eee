import { BaseModel, type ModelInfo } from "framewright/plugins/database";
import type { Attribute, ResourceRequest } from "framewright/plugins/resources";
import { loadRelatedLabels } from "framewright/plugins/resources/toolkit";
import type { Values } from "./ghosts.ts";

/** A reference of a record as it was: the association, and the key that it had. */
interface Reference {
  readonly name: string;
  readonly target: ModelInfo;
  readonly key: string | number;
}

/** Of an attribute that refers to a record, or is the key of one, what it referred to; undefined for none. */
export function referenceOf(model: ModelInfo, attribute: Attribute, ghost: BaseModel): Reference | undefined {
  const { polymorphic, isKey } = attribute;
  const values = ghost as unknown as Values;
  if (polymorphic) {
    const target = polymorphic.targets.get(String(values[polymorphic.typeColumn]));
    return reference(attribute.name, target, values[polymorphic.keyColumn]);
  }
  const association = isKey ? model.referencesBy(attribute.name)[0] : attribute.association;
  if (association?.kind !== "belongsTo") return undefined;
  return reference(association.name, association.target, association.key.of(ghost));
}

const reference = (name: string, target: ModelInfo | undefined, key: unknown): Reference | undefined =>
  target && (typeof key === "string" || typeof key === "number") ? { name, target, key } : undefined;

/** Whether a reference leads to no record that the person may see: it is deleted, or hidden. */
export const isUnseen = (model: ModelInfo, attribute: Attribute, ghost: BaseModel): boolean => {
  const found = referenceOf(model, attribute, ghost);
  return found !== undefined && !((ghost as unknown as Values)[found.name] instanceof BaseModel);
};

/** Reads what records as they were referred to, as far as the person may see it now: a statement for each model. */
export async function loadReferences(
  controller: ResourceRequest,
  wanted: readonly (readonly [model: ModelInfo, attribute: Attribute, ghost: BaseModel])[],
): Promise<void> {
  const byTarget = new Map<ModelInfo, [Reference, BaseModel][]>();
  for (const [model, attribute, ghost] of wanted) {
    const found = referenceOf(model, attribute, ghost);
    if (attribute.association || attribute.polymorphic) (ghost as unknown as Values)[attribute.name] = null;
    if (!found) continue;
    const list = byTarget.get(found.target) ?? [];
    byTarget.set(found.target, list);
    list.push([found, ghost]);
  }
  for (const [target, references] of byTarget) {
    const keys = [...new Set(references.map(([{ key }]) => key))];
    const query = target.key.whereIn(controller.resources.visible(controller, target), keys);
    const { labelAssociations } = target.class;
    const rows = await controller.resources.database.read(query, labelAssociations);
    await loadRelatedLabels(controller, rows, target, labelAssociations);
    const known = new Map(rows.map((row) => [String(target.key.of(row)), row]));
    for (const [{ name, key }, ghost] of references)
      (ghost as unknown as Values)[name] = known.get(String(key)) ?? null;
  }
}
