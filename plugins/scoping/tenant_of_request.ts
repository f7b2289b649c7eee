import { type BaseController, moved, movedPath, notFound } from "framewright/host";
import { describe } from "framewright/kernel";
import {
  type BaseModel,
  type Database,
  findFormer,
  findNamed,
  type Query,
  valueOfRecord,
} from "framewright/plugins/database";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import { rememberTenant } from "./last_tenant.ts";
import { readEnterable } from "./membership_query.ts";
import { tenantParam } from "./rules.ts";

/** Methods that a portal's concern may define. */
export interface ScopedController {
  /** Whether the user may enter the tenant; by default the account's associations decide. */
  authorizeEntity?(entity: BaseModel): boolean | Promise<boolean>;
  /** The tenants that the user may enter, for the list at the mount's root; by default those that `authorizeEntity` admits of the first 100. */
  enterableEntities?(database: Database): Query<BaseModel> | undefined;
  /** Where the mount's root leads a user who may enter no tenant; by default it shows that. */
  readonly welcomeUrl?: string | undefined;
}
type Controller = BaseController & ScopedController & Record<string, unknown>;

/** Finds the tenant of a request and checks that the user may enter. @throws HttpError 404, for an absent and a foreign tenant alike */
export async function resolveTenant(database: Database, rule: ScopeRule, given: BaseController): Promise<void> {
  const controller = given as Controller;
  if (rule.engine.entry && controller.request.route === rule.engine.entry) return;
  const find = rule.registered ? findByStrategy : rule.parameter === undefined ? findByMethod : findByPath;
  const entity = await find(database, rule, controller);
  if (controller.reply) return; // the method has sent a reply instead
  if (!entity) throw notFound();
  controller.currentScopedEntity = entity;
  const { method, carriesSession, isSpeculative, format } = controller.request;
  if (rule.parameter !== undefined && method === "GET" && format !== "json" && carriesSession && !isSpeculative)
    rememberTenant(rule, controller, entity);
}

/** The tenant's segment of the served path. A route parameter, query or body field of that name can't replace it. */
function tenantSegment(rule: ScopeRule, mountPath: string): string {
  return decodeURIComponent(mountPath.split("/").slice(1)[tenantPosition(rule, mountPath)] ?? "");
}
/** Which segment of the path names the tenant. */
function tenantPosition({ engine, parameter }: ScopeRule, mountPath: string): number {
  const fromEnd = engine.prefixParameters.length - engine.prefixParameters.indexOf(parameter!);
  return mountPath.split("/").length - 1 - fromEnd;
}

async function findByPath(database: Database, rule: ScopeRule, controller: Controller): Promise<BaseModel | undefined> {
  const { entity: model, paramKey } = rule;
  const read = async (column: string, value: number | string): Promise<BaseModel | undefined> =>
    controller.authorizeEntity
      ? (database.query(model.class) as Query<BaseModel>).where(`${model.table}.${column}`, value).first()
      : readEnterable(database, rule, controller, { column, value });
  const segment = tenantSegment(rule, controller.request.mountPath);
  const named = { model, paramKey, read, valueOf: valueOfRecord };
  const found = await findNamed(named, segment);
  const keepsFormer = model.class.slug?.history === true && paramKey === model.paramKey;
  const idOf = (slug: string) => database.recordOfSlug(model, slug);
  const entity = found ?? (keepsFormer ? await findFormer(named, idOf, segment) : undefined);
  const mayEnter = entity && (!controller.authorizeEntity || (await controller.authorizeEntity(entity)) === true);
  if (entity && mayEnter && !found) leadToPresent(rule, controller, entity);
  return mayEnter ? entity : undefined;
}

/** A page at a tenant's former address redirects; what is sent there is for the tenant. @throws HttpError 301 */
function leadToPresent(rule: ScopeRule, { request }: Controller, entity: BaseModel): void {
  if (request.route?.verb !== "GET" || request.isBackground) return;
  throw moved(movedPath(request, tenantPosition(rule, request.mountPath), tenantParam(rule, entity)));
}

async function findByStrategy(
  database: Database,
  rule: ScopeRule,
  controller: Controller,
): Promise<BaseModel | undefined> {
  const found = await rule.registered!.find(controller.request, rule);
  return entered(database, rule, controller, found, `the strategy "${rule.strategy}"`);
}

async function findByMethod(
  database: Database,
  rule: ScopeRule,
  controller: Controller,
): Promise<BaseModel | undefined> {
  const found = await (controller[rule.strategy] as () => unknown).call(controller);
  return entered(database, rule, controller, found, `${controller.constructor.name}.${rule.strategy}()`);
}

/** The tenant that was found, where the person may enter it. @throws FW_SCOPE_ENTITY */
async function entered(
  database: Database,
  rule: ScopeRule,
  controller: Controller,
  found: unknown,
  by: string,
): Promise<BaseModel | undefined> {
  const { entity: model } = rule;
  if (found === undefined || found === null || controller.reply) return undefined;
  if (!(found instanceof model.class) || found.$id() === undefined)
    throw errors.FW_SCOPE_ENTITY(by, model.constant, describe(found));
  return (await isMember(database, rule, controller, found as BaseModel)) ? (found as BaseModel) : undefined;
}

/** Whether a request's user may enter a tenant. */
export async function isMember(
  database: Database,
  rule: ScopeRule,
  controller: Controller,
  entity: BaseModel,
): Promise<boolean> {
  if (controller.authorizeEntity) return (await controller.authorizeEntity(entity)) === true;
  return hasMembership(database, rule, controller, entity);
}

export async function hasMembership(
  database: Database,
  rule: ScopeRule,
  controller: BaseController,
  entity: BaseModel,
): Promise<boolean> {
  const named = { column: rule.entity.primaryKey, value: entity.$id() as number };
  return (await readEnterable(database, rule, controller, named)) !== undefined;
}
