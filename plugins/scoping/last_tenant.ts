import type { BaseController } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ScopeRule } from "./contract.ts";

const SESSION_KEY = "last_tenants";

/** Stores which tenant of the portal the browser was in, for the next visit of the mount's root. */
export function rememberTenant({ engine }: ScopeRule, { session }: BaseController, entity: BaseModel): void {
  const last = (session.get(SESSION_KEY) ?? {}) as Record<string, string>;
  const id = String(entity.$id());
  if (last[engine.name] !== id) session.setExpendable(SESSION_KEY, { ...last, [engine.name]: id });
}

/** The only tenant, or of several the one that the browser was in last. */
export function onlyOrLast(
  { engine }: ScopeRule,
  { session }: BaseController,
  entities: readonly BaseModel[],
): BaseModel | undefined {
  if (entities.length <= 1) return entities[0];
  const last = (session.get(SESSION_KEY) as Record<string, string> | undefined)?.[engine.name];
  return entities.find((entity) => String(entity.$id()) === last);
}
