import { accessOf, type BaseController, pluralize } from "framewright/host";
import {
  type AssociationInfo,
  BaseModel,
  type Database,
  type ModelClass,
  type ModelInfo,
  type Query,
} from "framewright/plugins/database";
import type { ScopeRule } from "./contract.ts";
import { entityName } from "./tenant_path.ts";

/**
 * The tenants that a request's user may enter, by the associations of the account; undefined for none. In a public portal,
 * guests may enter all.
 */
export function enterableTenants(
  database: Database,
  rule: ScopeRule,
  controller: BaseController,
): Query<BaseModel> | undefined {
  const user: unknown = controller.currentUser;
  const all = () => database.query(rule.entity.class) as Query<BaseModel>;
  if (user === undefined || user === null) return accessOf(controller.constructor) === "public" ? all() : undefined;
  const account = accountOf(database, user);
  if (!account) return refuseAll(rule, controller, "its account is not a record, so it has no associations");
  if (account === rule.entity)
    return all().where(`${account.table}.${account.primaryKey}`, (user as BaseModel).$id() as number);
  const [association, second] = memberships(account, rule.entity);
  if (!association) return refuseAll(rule, controller, `${account.constant} has no association with it`);
  if (second)
    return refuseAll(
      rule,
      controller,
      `${account.constant} has several associations with it, ${association.name} and ${second.name} among them`,
    );
  return all().whereIn(
    `${rule.entity.table}.${rule.entity.primaryKey}`,
    joinedTenants(account, association, user as BaseModel, rule.entity) as never,
  );
}

function accountOf(database: Database, user: unknown): ModelInfo | undefined {
  if (!(user instanceof BaseModel)) return undefined;
  return database.model(user.constructor as ModelClass);
}

/** All associations from an account to the tenant; where one has the tenant's own name, that one alone. */
function memberships(account: ModelInfo, entity: ModelInfo): AssociationInfo[] {
  const found = [...account.associations.values()].filter(({ target }) => target === entity);
  const name = entityName(entity);
  const named = found.filter((association) => association.name === name || association.name === pluralize(name));
  return named.length === 1 ? named : found;
}

/** A sub-query, so that a removed membership takes effect at the next request. */
const joinedTenants = (
  { class: cls }: { class: ModelClass },
  { name }: AssociationInfo,
  user: BaseModel,
  { table, primaryKey }: ModelInfo,
) => cls.relatedQuery(name).for(user.$id()).select(`${table}.${primaryKey}`);

/** Module-level: a rule, of which each application has its own, is warned of once. */
const warnedRules = new WeakSet<ScopeRule>();

/** Admits nobody, and logs the reason once. */
function refuseAll(rule: ScopeRule, { request }: BaseController, why: string): undefined {
  const { engine, entity } = rule;
  if (warnedRules.has(rule)) return undefined;
  warnedRules.add(rule);
  const fix = `Write authorizeEntity(entity) in the concern of ${engine.name}.`;
  request.application.log.warn(
    `nobody may enter ${engine.name}, which is scoped to ${entity.constant}: ${why}. ${fix}`,
  );
  return undefined;
}
