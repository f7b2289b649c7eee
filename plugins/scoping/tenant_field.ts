import { listOfNobody, type Registration } from "framewright/plugins/resources";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import type { ScopingService } from "./service.ts";

/**
 * Checks that every association in a form leads to the tenant, so that the form offers only the tenant's records. Lists
 * that a policy permits only to signed-in users are checked at the request.
 * @throws FW_SCOPE_FORM
 */
export function checkForms(scopes: ScopingService, rule: ScopeRule, registration: Registration): void {
  const { engine, entity } = rule;
  const { model, policyClass } = registration;
  const lists = (["Create", "Update"] as const).flatMap((list) => listOfNobody(policyClass, list));
  const names = new Set(lists);
  const field = scopes.tenantField(model, entity);
  for (const { name, kind, target, key } of model.associations.values()) {
    if (
      kind !== "belongsTo" ||
      name === field?.name ||
      !(names.has(name) || key.columns.some((column) => names.has(column)))
    )
      continue;
    if (scopes.leadsToTenant(target, rule)) continue;
    throw errors.FW_SCOPE_FORM(policyClass.name, name, model.constant, target.constant, engine.name, entity.constant);
  }
  for (const { name, targets } of model.polymorphic.values())
    for (const target of names.has(name) ? targets.values() : [])
      if (!scopes.leadsToTenant(target, rule))
        throw errors.FW_SCOPE_FORM(
          policyClass.name,
          name,
          model.constant,
          target.constant,
          engine.name,
          entity.constant,
        );
}
