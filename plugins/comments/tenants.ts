import type { Application, BaseController } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import type { ScopeRule, Scoping } from "framewright/plugins/scoping";

/** The tenant that a comment belongs to: that of the request, and in a portal without tenants the one that the record belongs to. */
export async function tenantOfComment(
  host: Application,
  scoping: Scoping | undefined,
  controller: BaseController,
  record: BaseModel,
): Promise<string | null> {
  if (controller.request.engine?.tenantRule !== undefined) return tenantKey(controller.currentScopedEntity);
  const model = ModelInfo.ofRecord(record);
  const rules = [...host.engines.values()].flatMap((engine) => scoping?.ruleOf(engine) ?? []);
  const byEntity = new Map<ModelInfo, ScopeRule>(rules.map((rule) => [rule.entity, rule]));
  const tenants = new Set<string>();
  for (const rule of byEntity.values()) {
    const ids = await idsOf(scoping!, record, model, rule);
    for (const id of ids) tenants.add(`${rule.entity.table}/${id}`);
  }
  return tenants.size === 1 ? [...tenants][0]! : null; // a record of several tenants belongs to none
}

async function idsOf(scoping: Scoping, record: BaseModel, model: ModelInfo, rule: ScopeRule) {
  if (model === rule.entity) return [ModelInfo.keyOf(record)];
  try {
    return scoping.leadsToTenant(model, rule) ? ((await scoping.tenantsOf([record], model, rule)) ?? []) : [];
  } catch {
    return []; // a model that leads there by several ways is scoped by none of them here
  }
}
