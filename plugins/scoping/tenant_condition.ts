import type { BaseController } from "framewright/host";
import type { AssociationInfo, BaseModel, Database, ModelInfo, Query } from "framewright/plugins/database";
import type { QueryScope, Registration } from "framewright/plugins/resources";
import { applyTenantPath, type Id } from "./apply_tenant_path.ts";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import type { ScopingService } from "./service.ts";
import { entityName, type TenantPath } from "./tenant_path.ts";

/** Narrows a query of a scoped portal to its tenant. @throws FW_SCOPE_CLOSED without one */
export function narrowToTenant(scopes: ScopingService, narrow: QueryScope, controller: BaseController): void {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  if (!rule) return;
  const entity = tenantOf(rule, controller, `${narrow.model.constant} is queried`);
  const { model } = narrow;
  if (narrow.underParent && scopes.tenantPath(narrow.underParent, rule.entity).exclusive) return; // the parent belongs to the tenant, and its association is the condition
  const path = scopes.tenantPath(model, rule.entity);
  const where = `the tenant of ${rule.engine.name}`;
  const { database } = scopes;
  const tenant = { database, model: rule.entity, key: entity.$id() as Id };
  if (path.scoped)
    narrow.addCondition(where, (group) => applyTenantPath(group, model.table, path, { ...tenant, entity }));
  else narrow.addCondition(where, conditionOf({ database, path, model, of: rule.entity }), [tenant.key]);
}

interface Path {
  readonly database: Database;
  readonly path: TenantPath;
  readonly model: ModelInfo;
  readonly of: ModelInfo;
}
/** What a path of associations adds, whichever tenant has the key. */
const conditionOf =
  ({ database, path, model: { table }, of }: Path) =>
  (group: Query<BaseModel>, [key]: readonly unknown[]): void =>
    applyTenantPath(group, table, path, { database, model: of, key: key as Id });

function tenantOf(rule: ScopeRule, { currentScopedEntity }: BaseController, what: string): BaseModel {
  if (!(currentScopedEntity instanceof rule.entity.class))
    throw errors.FW_SCOPE_CLOSED(rule.engine.name, rule.entity.constant, what);
  return currentScopedEntity as unknown as BaseModel;
}

/** Removes the tenant's field from forms and lists: it is implied. */
export function withoutTenant(
  scopes: ScopingService,
  names: readonly string[],
  { model }: Registration,
  controller: BaseController,
): readonly string[] {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  const field = rule && scopes.tenantField(model, rule.entity);
  if (!field) return names;
  const hidden = field.kind === "belongsTo" ? [field.name, ...field.key.columns] : [field.name];
  return names.some((name) => hidden.includes(name)) ? names.filter((name) => !hidden.includes(name)) : names;
}

/** Sets the tenant of a written record. @throws FW_SCOPE_CLOSED without one */
export function setTenant(
  scopes: ScopingService,
  values: Record<string, unknown>,
  controller: BaseController,
  { model }: Registration,
): void {
  const rule = scopes.ruleOf(controller.request.engine?.name);
  if (!rule) return;
  const entity = tenantOf(rule, controller, `${model.constant} is written`);
  const field = scopes.tenantField(model, rule.entity);
  if (field?.kind === "belongsTo") values[field.key.column!] = entity.$id();
}

/** The association with the tenant: that of the path; for a model with a scope, its belongsTo, chosen by name where there are several. */
export function tenantField(
  model: ModelInfo,
  entity: ModelInfo,
  path: AssociationInfo | undefined,
): AssociationInfo | undefined {
  if (path) return path;
  const found = [...model.associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && target === entity,
  );
  if (model === entity || found.length < 2) return model === entity ? undefined : found[0];
  return found.find(({ name }) => name === entityName(entity));
}
