import type { Engine } from "framewright/host";
import { describe, suggest } from "framewright/kernel";
import type { BaseModel, Database, ModelClass, ModelInfo } from "framewright/plugins/database";
import type { ScopeOptions, ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import type { TenantStrategies } from "./strategies.ts";
import { entityName } from "./tenant_path.ts";

/** Validates the arguments of `scopeToEntity`. @throws FW_SCOPE_MODEL, FW_SCOPE_KEY, FW_SCOPE_OPTION, FW_SCOPE_STRATEGY */
export function readRule(
  engine: Engine,
  { database, strategies }: { database: Database; strategies: TenantStrategies },
  cls: ModelClass,
  options: ScopeOptions = {},
): ScopeRule {
  const entity = modelOf(engine, database, cls);
  if (entity.key.columns.length !== 1) throw errors.FW_SCOPE_KEY(engine.name, entity.constant, entity.key.columns);
  const unknown = Object.keys(options).find((name) => name !== "strategy");
  if (unknown !== undefined) throw errors.FW_SCOPE_OPTION(engine.name, unknown, suggest(unknown, ["strategy"]));
  const { strategy = "path" } = options;
  if (typeof strategy !== "string" || !/^[A-Za-z_$][\w$]*$/.test(strategy)) {
    throw errors.FW_SCOPE_STRATEGY(
      engine.name,
      typeof strategy === "string" ? JSON.stringify(strategy) : describe(strategy),
    );
  }
  const parameter = strategy === "path" ? `${entityName(entity)}_id` : undefined;
  return { engine, entity, strategy, parameter, paramKey: paramKeyOf(entity), registered: strategies.get(strategy) };
}

/** What a path names a tenant by. */
export const tenantParam = ({ paramKey }: ScopeRule, entity: BaseModel): string =>
  String((entity as unknown as Record<string, unknown>)[paramKey] ?? entity.$id());

/** Tenants whose slugs are unique within something else are named by their ids. */
const paramKeyOf = ({ class: cls, paramKey, primaryKey }: ModelInfo): string =>
  cls.slug?.scope === undefined ? paramKey : primaryKey;

function modelOf(engine: Engine, database: Database, cls: ModelClass): ModelInfo {
  try {
    return database.model(cls);
  } catch (cause) {
    const given = typeof cls === "function" ? (cls as { name: string }).name : describe(cls);
    const error = errors.FW_SCOPE_MODEL(engine.name, given);
    error.cause = cause;
    throw error;
  }
}
