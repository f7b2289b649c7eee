import type { AssociationInfo, BaseModel } from "framewright/plugins/database";
import { keysTo } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import { labelOf } from "../entry/labels.ts";
import { associationLabel, inSentence, labelsFor, numberText } from "../registration/resource_texts.ts";

const MAX_COUNTED = 1000;

/** What deleting a record does to the records that refer to it. */
export interface Deletion {
  /** What stands in the way; a sentence. */
  blocked?: string;
  /** What goes with the record, or loses it; sentences. */
  effects: readonly string[];
}

/**
 * Asks the associations of a record what becomes of them. Records are counted and named as far as the person sees them;
 * others are only said to stand in the way, as they would be when it is tried.
 */
export async function deletionOf(controller: ResourceController, record: BaseModel): Promise<Deletion> {
  const effects: string[] = [];
  const blocking: string[] = [];
  let isBlocked = false;
  for (const association of controller.registration.model.associations.values()) {
    const rule = ruleOf(association);
    if (rule === undefined) continue;
    const seen = await seenOf(controller, association, record);
    if (rule === "restrict") {
      if (seen !== undefined) blocking.push(seen);
      isBlocked ||= seen !== undefined || (await isReferredTo(controller, association, record));
    } else if (seen !== undefined) effects.push(controller.t(`resource.deletion.${rule}`, { records: seen }));
  }
  if (!isBlocked) return { effects };
  const name = labelOf(controller, record);
  const blocked =
    blocking.length > 0
      ? controller.t("resource.deletion.restrict", { name, records: blocking.join(", ") })
      : controller.t("resource.in_use", { name });
  return { blocked, effects: [] };
}

type Rule = "destroy" | "nullify" | "restrict";
const rules = { cascade: "destroy", "set null": "nullify", restrict: "restrict" } as const;

/** What becomes of the records of an association: as the model says, else as the foreign key does. */
function ruleOf({ kind, through, dependent, target, foreignKey, of }: AssociationInfo): Rule | undefined {
  if (kind === "belongsTo" || through !== undefined) return undefined;
  if (dependent !== undefined || of !== undefined) return dependent;
  const onDelete = target.columns.get(foreignKey)?.references?.onDelete;
  return onDelete && rules[onDelete];
}

/** "3 memberships", of those that the person may list; undefined for none. */
async function seenOf(
  controller: ResourceController,
  association: AssociationInfo,
  record: BaseModel,
): Promise<string | undefined> {
  const { resources, request } = controller;
  const { target } = association;
  const registration = resources.registry.nearest(request.engine?.name, target);
  if (!registration || !allows(resources.policy(controller, registration.policyClass, undefined), "index"))
    return undefined;
  const query = resources.visible(controller, target).where(keysTo(association, record) as never);
  const { total, capped } = await resources.database.countUpTo(query, MAX_COUNTED);
  if (total === 0) return undefined;
  const { one } = labelsFor(controller, registration);
  const many = associationLabel(controller, controller.registration, association, registration);
  const shown = numberText(controller, total);
  return `${shown}${capped ? "+" : ""} ${inSentence(controller, total === 1 ? one : many)}`;
}

/** Whether any record refers to it, seen or not. */
async function isReferredTo({ resources }: ResourceController, association: AssociationInfo, record: BaseModel) {
  const query = resources.database.query(association.target.class).where(keysTo(association, record) as never);
  return (await resources.database.readFirst(query as never)) !== undefined;
}
