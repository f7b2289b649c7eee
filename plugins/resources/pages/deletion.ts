import { type AssociationInfo, type BaseModel, keysTo, type ModelInfo, type Query } from "framewright/plugins/database";
import { allows } from "../definition/policy.ts";
import { labelOf } from "../entry/labels.ts";
import { associationLabel, countText } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

const MAX_COUNTED = 1000;
/** How many records a sentence names. */
const MAX_NAMED = 5;

/** What deleting a record does to the records that refer to it. */
export interface Deletion {
  /** What prevents it; a sentence. */
  blocked?: string;
  /** What goes with the record, or loses it; sentences. */
  effects: readonly string[];
}

/** Narrows a query to the records that refer by an association to what is about to be deleted. */
type Referring = (query: Query<BaseModel>, association: AssociationInfo) => Query<BaseModel>;

/**
 * Finds what becomes of the associations of a record. Records are counted and named as far as the person sees them;
 * others are only reported as preventing it, as they would be when it is tried.
 */
export async function deletionOf(controller: ResourceRequest, record: BaseModel): Promise<Deletion> {
  const { model } = controller.registration;
  const refer: Referring = (query, association) =>
    ofOthers(query.where(keysTo(association, record) as never), association, model);
  const { effects, blocking, restricting } = await effectsOf(controller, refer, "one");
  const isReferredTo = async (association: AssociationInfo) =>
    (await firstReferring(controller, refer, association)) !== undefined;
  let isBlocked = blocking.length > 0;
  for (const association of restricting) isBlocked ||= await isReferredTo(association);
  if (!isBlocked) return { effects };
  const name = labelOf(controller, record);
  const blocked =
    blocking.length > 0
      ? controller.t("resource.deletion.restrict", { name, records: blocking.join(", ") })
      : controller.t("resource.in_use", { name });
  return { blocked, effects: [] };
}

/** Likewise, of several: `chosen` makes a query of them. Those that can't be deleted are named first, the effects are summed. */
export async function deletionOfMany(
  controller: ResourceRequest,
  chosen: () => Query<BaseModel>,
): Promise<readonly string[]> {
  const { model } = controller.registration;
  const refer: Referring = (query, association) => {
    const { target, key, of } = association;
    key.whereRefersTo(query, chosen().clearSelect());
    ofOthers(query, association, model);
    return of ? query.where(`${target.table}.${of.column}`, of.name) : query;
  };
  const { effects, blocking, restricting } = await effectsOf(controller, refer, "many");
  const names = await restrictedNames(controller, chosen, restricting);
  if (names === undefined) return effects;
  const records = blocking.join(", ");
  const which = records === "" ? "in_use_many" : "restrict_many";
  return [controller.t(`resource.deletion.${which}`, { names, records }), ...effects];
}

/** A record that refers to itself alone can be deleted. */
const ofOthers = (query: Query<BaseModel>, { target, key }: AssociationInfo, model: ModelInfo) =>
  target.table === model.table
    ? query.whereNot((same) => key.names.forEach((name, at) => void same.whereColumn(target.key.names[at]!, name)))
    : query;

interface Effects {
  readonly effects: string[];
  /** What prevents it, of what the person sees. */
  readonly blocking: string[];
  readonly restricting: AssociationInfo[];
}

async function effectsOf(controller: ResourceRequest, refer: Referring, number: "one" | "many"): Promise<Effects> {
  const found: Effects = { effects: [], blocking: [], restricting: [] };
  for (const association of controller.registration.model.associations.values()) {
    const rule = ruleOf(association);
    if (rule === undefined) continue;
    const seen = await seenOf(controller, association, refer);
    if (rule === "restrict") {
      found.restricting.push(association);
      if (seen !== undefined) found.blocking.push(seen);
    } else if (seen !== undefined) {
      const key = number === "one" ? rule : `${rule}_many`;
      found.effects.push(controller.t(`resource.deletion.${key}`, { records: seen }));
    }
  }
  return found;
}

/** The chosen records that others refer to: the first by their labels, and how many more there are; undefined for none. */
async function restrictedNames(
  controller: ResourceRequest,
  chosen: () => Query<BaseModel>,
  restricting: readonly AssociationInfo[],
): Promise<string | undefined> {
  if (restricting.length === 0) return undefined;
  const { database } = controller.resources;
  const { model } = controller.registration;
  const isInUse = (query: Query<BaseModel>) =>
    query.where((group) => {
      for (const association of restricting) {
        const { target, key, of } = association;
        const referring = database.query(target.class);
        ofOthers(referring as never, association, model);
        for (const name of key.names) referring.whereNotNull(name);
        if (of) referring.where(`${target.table}.${of.column}`, of.name as never);
        group.orWhere((rows) => void model.key.whereAmong(rows, referring, key));
      }
    });
  const total = await database.count(isInUse(chosen()));
  if (total === 0) return undefined;
  const first = await database.read(isInUse(chosen()).limit(MAX_NAMED), model.class.labelAssociations);
  return namesOf(controller, first, total);
}

/** "Alpha, Beta and 3 others" */
export function namesOf(controller: ResourceRequest, records: readonly BaseModel[], total: number): string {
  const names = records.slice(0, MAX_NAMED).map((record) => record.toLabel());
  const others = total - names.length;
  const more = others > 0 ? ` ${controller.t("resource.bulk.more", { count: others })}` : "";
  return names.join(", ") + more;
}

type Rule = "destroy" | "nullify" | "restrict";
const rules = { cascade: "destroy", "set null": "nullify", restrict: "restrict" } as const;

/** What becomes of the records of an association: as the model declares, else as the foreign key does. */
function ruleOf({ kind, through, dependent, target, key, of }: AssociationInfo): Rule | undefined {
  if (kind === "belongsTo" || through !== undefined) return undefined;
  if (dependent !== undefined || of !== undefined) return dependent;
  const onDelete = target.onDelete(key);
  return onDelete && rules[onDelete];
}

/** "3 memberships", of those that the person may list; undefined for none. */
async function seenOf(
  controller: ResourceRequest,
  association: AssociationInfo,
  refer: Referring,
): Promise<string | undefined> {
  const { resources, request } = controller;
  const { target } = association;
  const registration = resources.registry.nearest(request.engine?.name, target);
  if (!registration || !allows(resources.policy(controller, registration.policyClass, undefined), "index"))
    return undefined;
  const query = refer(resources.visible(controller, target), association);
  const counted = await resources.database.countUpTo(query, MAX_COUNTED);
  if (counted.total === 0) return undefined;
  const many = associationLabel(controller, controller.registration, association, registration);
  return countText(controller, registration, counted, many);
}

/** A record that refers to it, seen or not. */
const firstReferring = ({ resources }: ResourceRequest, refer: Referring, association: AssociationInfo) =>
  resources.database.readFirst(refer(resources.database.query(association.target.class) as never, association));
