import type { Policy, Registration } from "framewright/plugins/resources";
import { errors } from "./errors.ts";
import type { ScopeRule } from "./rules.ts";
import type { Scopes } from "./service.ts";

/**
 * A form offers the records that the tenant may choose from: each association in it leads to the tenant. What a policy
 * only permits to somebody who is there is seen at the request.
 * @throws FW_SCOPE_FORM
 */
export function checkForms(scopes: Scopes, { engine, entity }: ScopeRule, registration: Registration): void {
  const { model, policyClass } = registration;
  const names = permitted(registration);
  const field = scopes.field(model, entity);
  for (const { name, kind, target, foreignKey } of model.associations.values()) {
    if (kind !== "belongsTo" || name === field?.name || !(names.has(name) || names.has(foreignKey))) continue;
    if (target === entity || scopes.wayOrNone(target, entity)) continue;
    throw errors.FW_SCOPE_FORM(policyClass.name, name, model.constant, target.constant, engine.name, entity.constant);
  }
}

function permitted(registration: Registration): Set<string> {
  const names = new Set<string>();
  const subject = { user: undefined, record: undefined, entityScope: undefined };
  for (const list of ["Create", "Update"] as const) {
    try {
      const policy = new registration.policyClass({ ...subject, parent: undefined, parentAssociation: undefined });
      for (const name of registration.permitted(policy as Policy, list)) names.add(name);
    } catch {} // it looks at a person or a record, and there is none yet
  }
  return names;
}
