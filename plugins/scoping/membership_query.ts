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
 * The tenants that the person of a request may enter, as the associations of the account say; undefined: none at all.
 * Where nobody has to sign in, a guest may enter every one.
 */
export function enterable(
  database: Database,
  rule: ScopeRule,
  controller: BaseController,
): Query<BaseModel> | undefined {
  const user: unknown = controller.currentUser;
  const all = () => database.query(rule.entity.class) as Query<BaseModel>;
  if (user === undefined || user === null) return accessOf(controller.constructor) === "public" ? all() : undefined;
  const account = accountOf(database, user);
  if (!account) return refuse(rule, controller, "its account is no record, so that no association can be asked");
  if (account === rule.entity) return all().where(`${account.table}.id`, (user as BaseModel).$id() as number);
  const [association, second] = memberships(account, rule.entity);
  if (!association) return refuse(rule, controller, `${account.constant} has no association that leads there`);
  if (second)
    return refuse(
      rule,
      controller,
      `${account.constant} has several associations that lead there, ${association.name} and ${second.name} among them`,
    );
  return all().whereIn(
    `${rule.entity.table}.id`,
    joined(account, association, user as BaseModel, rule.entity) as never,
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

/** As it is stored at this moment: a membership that was taken away is gone at the next request. */
const joined = (
  { class: cls }: { class: ModelClass },
  { name }: AssociationInfo,
  user: BaseModel,
  { table }: ModelInfo,
) => cls.relatedQuery(name).for(user.$id()).select(`${table}.id`);

const told = new WeakSet<ScopeRule>();

/** Nobody comes in, and the log says why, once. */
function refuse(rule: ScopeRule, { request }: BaseController, why: string): undefined {
  const { engine, entity } = rule;
  if (told.has(rule)) return undefined;
  told.add(rule);
  const fix = `Write authorizeEntity(entity) in the concern of ${engine.name}.`;
  request.application.log.warn(
    `nobody may enter ${engine.name}, which is scoped to ${entity.constant}: ${why}. ${fix}`,
  );
  return undefined;
}
