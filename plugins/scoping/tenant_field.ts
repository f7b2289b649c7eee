import { listOfNobody, type Registration } from "framewright/plugins/resources";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Scopes } from "./service.ts";

/**
 * A form offers the records that the tenant may choose from: each association in it leads to the tenant. What a policy
 * only permits to somebody who is there is seen at the request.
 * @throws FW_SCOPE_FORM
 */
export function checkForms(scopes: Scopes, { engine, entity }: ScopeRule, registration: Registration): void {
  const { model, policyClass } = registration;
  const lists = (["Create", "Update"] as const).flatMap((list) => listOfNobody(policyClass, list));
  const names = new Set(lists);
  const field = scopes.field(model, entity);
  for (const { name, kind, target, foreignKey } of model.associations.values()) {
    if (kind !== "belongsTo" || name === field?.name || !(names.has(name) || names.has(foreignKey))) continue;
    if (target === entity || scopes.wayOrNone(target, entity)) continue;
    throw errors.FW_SCOPE_FORM(policyClass.name, name, model.constant, target.constant, engine.name, entity.constant);
  }
}
