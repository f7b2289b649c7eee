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

/** Reads a tenant that a request's user may enter by a column's value: by a select that is built once where that can be done. */
export async function readEnterable(
  database: Database,
  rule: ScopeRule,
  controller: BaseController,
  { column, value }: { column: string; value: number | string },
): Promise<BaseModel | undefined> {
  const { entity } = rule;
  const user: unknown = controller.currentUser;
  const account = accountOf(database, user);
  const [association, second] = account && account !== entity ? memberships(account, entity) : [];
  if (!account || !association || second || !database.canPrepare(entity))
    return enterableTenants(database, rule, controller)?.where(`${entity.table}.${column}`, value).first();
  const selects = entrySelects.get(rule) ?? new Map<string, EntrySelect>();
  entrySelects.set(rule, selects);
  const key = `${account.constant} ${column}`;
  const prepared = selects.get(key) ?? entrySelect(database, { account, association, entity, column });
  selects.set(key, prepared);
  const [found] = await database.readPrepared(entity, { prepared, values: [(user as BaseModel).$id(), value] });
  return found;
}

type EntrySelect = ReturnType<Database["prepared"]>;
/** Module-level: freed with the rules; by the account's model and the column that names a tenant. */
const entrySelects = new WeakMap<ScopeRule, Map<string, EntrySelect>>();

interface EntryBy {
  readonly account: ModelInfo;
  readonly association: AssociationInfo;
  readonly entity: ModelInfo;
  readonly column: string;
}
/** The tenant with a value of a column, among those of an account with a key. */
const entrySelect = (database: Database, { account, association, entity, column }: EntryBy): EntrySelect =>
  database.prepared((_, [id, value]) =>
    database
      .query(entity.class)
      .whereIn(
        `${entity.table}.${entity.primaryKey}`,
        joinedTenants(account, association, id as number, entity) as never,
      )
      .where(`${entity.table}.${column}`, value as never)
      .limit(1)
      .toKnexQuery(),
  );

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
    joinedTenants(account, association, (user as BaseModel).$id() as number, rule.entity) as never,
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
  id: number | string,
  { table, primaryKey }: ModelInfo,
) => cls.relatedQuery(name).for(id).select(`${table}.${primaryKey}`);

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
