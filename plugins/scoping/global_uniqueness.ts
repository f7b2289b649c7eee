import type { ModelInfo } from "framewright/plugins/database";
import type { ScopeRule } from "./contract.ts";
import type { ScopingService } from "./service.ts";

/** A sentence for each attribute of a tenant's model that is unique across all tenants, and does not declare it. */
export function globalUniqueness(scopes: ScopingService, model: ModelInfo, rule: ScopeRule): string[] {
  if (model === rule.entity) return [];
  const leading = [...model.associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && scopes.leadsToTenant(target, rule),
  );
  const within = scopes.tenantField(model, rule.entity) ?? leading[0];
  if (!within) return [];
  const isScope = (names: readonly string[]) =>
    leading.some(({ name, key }) => names.includes(name) || key.columns.every((column) => names.includes(column)));
  return Object.entries(model.class.validations).flatMap(([name, { uniqueness }]) => {
    const given = typeof uniqueness === "object" ? uniqueness : {};
    const isWithin = isScope([name, ...[given.scope ?? []].flat()]);
    if (!uniqueness || given.everywhere || isWithin) return [];
    return [
      `${model.constant} is unique by ${name} across all of ${rule.entity.constant}: its error tells people of one that another has the value. Scope it, uniqueness: { scope: "${within.name}" }, with an index in a migration: await db.addIndex("${model.table}", ${JSON.stringify([name, ...within.key.columns]).replaceAll(",", ", ")}, { unique: true }); or say uniqueness: { everywhere: true }.`,
    ];
  });
}
