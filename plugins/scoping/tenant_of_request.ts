import { type BaseController, notFound } from "framewright/host";
import { describe } from "framewright/kernel";
import { type BaseModel, type Database, parseId } from "framewright/plugins/database";
import type { ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import { enterable } from "./membership_query.ts";

/** What a portal's concern may say about its tenants. */
export interface ScopedController {
  /** Whether the person may enter the tenant; without it the associations of the account decide. */
  authorizeEntity?(entity: BaseModel): boolean | Promise<boolean>;
}
type Controller = BaseController & ScopedController & Record<string, unknown>;

/** Finds the tenant of a request, and whether the person may enter. @throws HttpError 404 for an absent one and a foreign one alike */
export async function enter(database: Database, rule: ScopeRule, given: BaseController): Promise<void> {
  const controller = given as Controller;
  if (rule.engine.entry && controller.request.route === rule.engine.entry) return;
  const entity =
    rule.parameter === undefined
      ? await byMethod(database, rule, controller)
      : await byPath(database, rule, controller);
  if (controller.reply) return; // the method chose to answer instead
  if (!entity) throw notFound();
  controller.currentScopedEntity = entity;
}

/** The segment of the path that was served, whatever a route's own parameter of that name, the query or a body say. */
function segment({ engine, parameter }: ScopeRule, mountPath: string): string {
  const fromEnd = engine.prefixParameters.length - engine.prefixParameters.indexOf(parameter!);
  return decodeURIComponent(mountPath.split("/").at(-fromEnd) ?? "");
}

async function byPath(database: Database, rule: ScopeRule, controller: Controller): Promise<BaseModel | undefined> {
  const { entity: model } = rule;
  const id = parseId(segment(rule, controller.request.mountPath), model.columns.get("id") ?? { type: "integer" });
  if (id === undefined) return undefined;
  if (!controller.authorizeEntity) return enterable(database, rule, controller)?.where(`${model.table}.id`, id).first();
  const entity = (await database.query(model.class).findById(id)) as BaseModel | undefined;
  return entity && (await controller.authorizeEntity(entity)) === true ? entity : undefined;
}

async function byMethod(database: Database, rule: ScopeRule, controller: Controller): Promise<BaseModel | undefined> {
  const { strategy, entity: model } = rule;
  const found = await (controller[strategy] as () => unknown).call(controller);
  if (found === undefined || found === null || controller.reply) return undefined;
  if (!(found instanceof model.class) || found.$id() === undefined) {
    throw errors.FW_SCOPE_ENTITY(controller.constructor.name, strategy, model.constant, describe(found));
  }
  return (await isMember(database, rule, controller, found as BaseModel)) ? (found as BaseModel) : undefined;
}

/** Whether the person of a request may enter a tenant. */
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
  const found = await enterable(database, rule, controller)
    ?.where(`${rule.entity.table}.id`, entity.$id() as number)
    .first();
  return found !== undefined;
}
