import type { BaseController } from "framewright/host";
import type { AssociationInfo, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Narrow, Registration } from "framewright/plugins/resources";
import { reach } from "./apply_tenant_path.ts";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Scopes } from "./service.ts";
import { entityName } from "./tenant_path.ts";

/** Narrows a query of a scoped portal to its tenant. @throws FW_SCOPE_CLOSED without one */
export function narrowToTenant(scopes: Scopes, narrow: Narrow, controller: BaseController): void {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  if (!rule) return;
  const entity = tenantOf(rule, controller, `${narrow.model.constant} was asked for`);
  const { model } = narrow;
  if (narrow.underParent && scopes.way(narrow.underParent, rule.entity).exclusive) return; // the parent is the tenant's own, and it narrows by itself
  const way = scopes.way(model, rule.entity);
  const tenant = { database: scopes.database, model: rule.entity, entity };
  narrow.by(`the tenant of ${rule.engine.name}`, (group) => reach(group, model.table, way, tenant));
}

function tenantOf(rule: ScopeRule, { currentScopedEntity }: BaseController, what: string): BaseModel {
  if (!(currentScopedEntity instanceof rule.entity.class))
    throw errors.FW_SCOPE_CLOSED(rule.engine.name, rule.entity.constant, what);
  return currentScopedEntity as unknown as BaseModel;
}

/** The tenant's field goes without saying: neither forms nor lists show it. */
export function withoutTenant(
  scopes: Scopes,
  names: readonly string[],
  { model }: Registration,
  controller: BaseController,
): readonly string[] {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  const field = rule && scopes.field(model, rule.entity);
  if (!field) return names;
  const hidden = field.kind === "belongsTo" ? [field.name, field.foreignKey] : [field.name];
  return names.some((name) => hidden.includes(name)) ? names.filter((name) => !hidden.includes(name)) : names;
}

/** A record that is written belongs to the tenant. @throws FW_SCOPE_CLOSED without one */
export function setTenant(
  scopes: Scopes,
  values: Record<string, unknown>,
  controller: BaseController,
  { model }: Registration,
): void {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  if (!rule) return;
  const entity = tenantOf(rule, controller, `${model.constant} was about to be written`);
  const field = scopes.field(model, rule.entity);
  if (field?.kind === "belongsTo") values[field.foreignKey] = entity.$id();
}

/** The association that stands for the tenant: the way's own; with a scope instead, a belongsTo, by the tenant's name where there are several. */
export function tenantField(
  model: ModelInfo,
  entity: ModelInfo,
  way: AssociationInfo | undefined,
): AssociationInfo | undefined {
  if (way) return way;
  const found = [...model.associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && target === entity,
  );
  if (model === entity || found.length < 2) return model === entity ? undefined : found[0];
  return found.find(({ name }) => name === entityName(entity));
}
