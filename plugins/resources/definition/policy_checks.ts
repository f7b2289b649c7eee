import { errors } from "../errors.ts";
import { joinOf } from "../operations/links.ts";
import type { Registration } from "../registration/registration.ts";
import type { Attribute } from "./attributes.ts";
import { Policy, type PolicyClass, predicateOf } from "./policy.ts";

/** Refuses at boot what a policy can never mean. @throws FW_POLICY_ASYNC, FW_ATTRIBUTE_READONLY, FW_ATTRIBUTE_UNKNOWN */
export function checkPolicy(registration: Registration): void {
  const { policyClass, model } = registration;
  for (const [name, method] of methodsOf(policyClass))
    if (/^can[A-Z]/.test(name) && method.constructor.name === "AsyncFunction")
      throw errors.FW_POLICY_ASYNC(policyClass.name, name);
  if (!model.settled) return;
  for (const list of ["Create", "Update"] as const)
    for (const name of listOfNobody(policyClass, list)) checkWritable(registration.attribute(name), registration, list);
}

/**
 * Refuses an action of a definition that nobody can ever run: no policy of the model has its predicate, in any portal.
 * @throws FW_ACTION_PREDICATE
 */
export function checkPredicates(registrations: readonly Registration[]): void {
  const allowed = new Set<string>();
  const found = registrations.flatMap((registration) =>
    [...registration.definition.actions.values()]
      .filter(({ interaction }) => interaction !== undefined)
      .map((action) => {
        const predicate = predicateOf(action.policy ?? action.key);
        const id = `${registration.constant} ${action.key}`;
        if (typeof registration.policyClass.prototype[predicate as "canRead"] === "function") allowed.add(id);
        return { registration, key: action.key, predicate, id };
      }),
  );
  const refused = found.find(({ id }) => !allowed.has(id));
  if (!refused) return;
  const { definition, policyClass } = refused.registration;
  throw errors.FW_ACTION_PREDICATE(definition.constructor.name, refused.key, policyClass.name, refused.predicate);
}

function* methodsOf(policyClass: PolicyClass): Generator<[name: string, method: Function]> {
  for (let at = policyClass.prototype; at && at !== Policy.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === "function") yield [name, value as Function];
}

/** A policy's list, where it can be computed without an account; the others are checked when they are used. */
export const listOfNobody = (
  policyClass: PolicyClass,
  list: "Create" | "Update" | "Index" | "Show",
): readonly string[] => namesOfNobody(policyClass, `permittedAttributesFor${list}`);
/** The associations that a policy permits, likewise. */
export const associationsOfNobody = (policyClass: PolicyClass): readonly string[] =>
  namesOfNobody(policyClass, "permittedAssociations");

/** Whether a policy leaves records out: by its class, or by each of its objects. */
export function hidesRecords(policyClass: PolicyClass | undefined): boolean {
  if (!policyClass) return false;
  if (policyClass.prototype.relationScope !== Policy.prototype.relationScope) return true;
  try {
    const nobody = { user: undefined, record: undefined, entityScope: undefined, parent: undefined };
    return Object.hasOwn(new policyClass(nobody), "relationScope");
  } catch {
    return false;
  }
}

type ListMethod = "permittedAssociations" | `permittedAttributesFor${"Create" | "Update" | "Index" | "Show"}`;
function namesOfNobody(policyClass: PolicyClass, method: ListMethod): readonly string[] {
  try {
    const nobody = { user: undefined, record: undefined, entityScope: undefined, parent: undefined };
    const names: unknown = new policyClass(nobody)[method]();
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

/** @throws FW_ATTRIBUTE_READONLY for what no form can write, FW_ATTRIBUTE_HALF */
export function checkWritable(
  { name, association, polymorphic, column, cents, handler }: Attribute,
  { policyClass, model }: Registration,
  list: "Create" | "Update",
): void {
  if (polymorphic || handler?.read) return;
  for (const whole of model.polymorphic.values())
    if (name === whole.keyColumn || name === whole.typeColumn)
      throw errors.FW_ATTRIBUTE_HALF(policyClass.name, list, name, whole.name);
  if (association && association.kind !== "belongsTo" && !joinOf(association))
    throw errors.FW_ATTRIBUTE_READONLY(policyClass.name, list, name, "leads to records that refer to this one");
  if (!association && !column && cents === undefined)
    throw errors.FW_ATTRIBUTE_READONLY(policyClass.name, list, name, "is computed by the model");
}
