import { type BaseController, camelize, demodulize, type RequestContext } from "framewright/host";
import type { Kernel } from "framewright/kernel";
import type { AssociationInfo, BaseModel, ModelClass, ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** How a membership's model leads to its account and its tenant. */
export interface MembershipShape {
  readonly model: ModelInfo;
  readonly user: AssociationInfo;
  readonly entity: AssociationInfo;
  /** The name of the account type: `customer`. */
  readonly account: string;
  /** The first is the most privileged. */
  readonly roles: readonly string[];
  /** The least role that manages members, invitations and clients: `static managers` of the model, else as `managerRole` says. */
  readonly managers: string;
}

/** The column by which a membership, an invitation or a client refers to its account or its tenant, which have one key: see `checkKeys`. */
export const columnOf = ({ key }: AssociationInfo): string => key.column!;

/** The association with the account, and the first one with another model, which is the tenant. */
export function ownersOf({ associations }: ModelInfo): { user?: AssociationInfo; entity?: AssociationInfo } {
  const owners = [...associations.values()].filter(({ kind }) => kind === "belongsTo");
  const isAccount = ({ target }: AssociationInfo) => target.columns.has("account_status");
  const [user, entity] = [owners.find(isAccount), owners.find((one) => !isAccount(one))];
  return { ...(user ? { user } : {}), ...(entity ? { entity } : {}) };
}

/** Finds the associations and roles of a membership's class. @throws FW_MEMBERSHIP_MODEL */
export function shapeOf(kernel: Kernel, cls: Function): MembershipShape {
  const model = kernel.service("database").model(cls as ModelClass);
  const { user, entity } = ownersOf(model);
  const roles = model.class.enums.role ?? [];
  const types = kernel.service("auth").types.all();
  const own = types.filter((type) => type.model === user?.target).map(({ name }) => name);
  const account = own.find((name) => camelize(name) === demodulize(user?.target.constant ?? "")) ?? own[0];
  if (!user || account === undefined)
    throw errors.FW_MEMBERSHIP_MODEL(model.constant, "none of its associations leads to an account");
  if (!entity) throw errors.FW_MEMBERSHIP_MODEL(model.constant, "none of its associations leads to a tenant");
  if (roles.length === 0) throw errors.FW_MEMBERSHIP_MODEL(model.constant, "it has no roles");
  checkKeys(model);
  return { model, user, entity, account, roles, managers: managersOf(model) };
}

/** The least role that manages members, as the model states it. @throws FW_MEMBERSHIP_MODEL */
export function managersOf({ class: cls, constant }: ModelInfo): string {
  const { role: roles = [] } = cls.enums;
  const { managers } = cls as { managers?: string };
  if (managers !== undefined && !roles.includes(managers))
    throw errors.FW_MEMBERSHIP_MODEL(constant, `its managers, "${managers}", are none of its roles`);
  return managers ?? managerRole(roles);
}

/** How the accounts of a type are members of tenants: one entry for each model of memberships that leads to them. */
export function membershipShapes(kernel: Kernel, { model }: { readonly model: ModelInfo }): MembershipShape[] {
  const models = kernel.service("database").models();
  const own = models.filter((one) => "isMembership" in one.class && ownersOf(one).user?.target === model);
  return own.map((one) => shapeOf(kernel, one.class));
}

/** Members, invitations and their pages refer to accounts and tenants by number. @throws FW_MEMBERSHIP_MODEL */
export function checkKeys(model: ModelInfo): void {
  for (const { target } of Object.values(ownersOf(model))) {
    if (target.key.columns.length !== 1)
      throw errors.FW_MEMBERSHIP_MODEL(
        model.constant,
        `${target.constant} is not identified by one column, and members are stored by number`,
      );
    const type = target.settled ? target.columns.get(target.primaryKey)?.type : undefined;
    if (type === "uuid" || type === "string")
      throw errors.FW_MEMBERSHIP_MODEL(
        model.constant,
        `the ids of ${target.constant} are of the type ${type}, and members are stored by number. Create its table with t.id()`,
      );
  }
}

/** The path of a tenant in the portal that is mounted there; its address, where it has another host. */
export async function tenantUrl(
  request: RequestContext,
  { entity }: MembershipShape,
  portal: string,
  id: number,
): Promise<string> {
  const { target } = entity;
  const { kernel, application } = request;
  const mount = application.settings.basePath + portal.replace(/\/$/, "");
  const tenantOrigin = application.mounts.find(({ at }) => at === mount)?.engine.tenantOrigin;
  const found = tenantOrigin && (await kernel.service("database").query(target.class).findById(id));
  if (found) return (tenantOrigin(found, request) + mount).replace(`${request.origin}/`, "/");
  if (target.paramKey === target.primaryKey) return `${mount}/${id}`;
  const tenant = await kernel.service("database").readByKey(target, id);
  const param = tenant && (tenant as unknown as Record<string, unknown>)[target.paramKey];
  return `${mount}/${encodeURIComponent(String(param ?? id))}`;
}

/** Where a page of this host leads people who join: browsers follow no form to another host, but the list of tenants is here. */
export const locationHere = (url: string, portal: string): string => (url.startsWith("/") ? url : portal);

/** The role of a record; undefined where it has none. */
export function roleOf(record: object | undefined): string | undefined {
  const role = (record as { role?: unknown } | undefined)?.role;
  return typeof role === "string" ? role : undefined;
}

/** Whether a role is another one or a more privileged one. Unknown roles never are. */
export function isAtLeast(roles: readonly string[], role: string | undefined, least: string): boolean {
  const [own, needed] = [roles.indexOf(role ?? ""), roles.indexOf(least)];
  return own >= 0 && needed >= 0 && own <= needed;
}

/** The least role that manages members where a model does not state it: the second of three or more, else the first. */
export const managerRole = (roles: readonly string[]): string => roles[roles.length > 2 ? 1 : 0]!;

/** Whether the person of a request manages the members of the tenant that it is in. False without a membership. */
export function isManager(controller: BaseController): boolean {
  const { membership } = controller.constructor as { membership?: Function };
  if (membership === undefined) return false;
  const { roles, managers } = shapeOf(controller.request.kernel, membership);
  return isAtLeast(roles, roleOf(membershipIn(controller.currentScopedEntity)), managers);
}

/** The roles that a member may grant: their own and those below it. */
export function grantableRoles(roles: readonly string[], role: string | undefined): readonly string[] {
  const own = roles.indexOf(role ?? "");
  return own < 0 ? [] : roles.slice(own);
}

/** Module-level: found by the tenant's record of a request, and freed with it. */
const entered = new WeakMap<object, BaseModel>();
/** The membership by which a request entered a tenant; the tenant's record is the request's own. */
export const membershipIn = (entity: unknown): BaseModel | undefined =>
  typeof entity === "object" && entity !== null ? entered.get(entity) : undefined;
export const enterBy = (entity: object, membership: BaseModel): void => void entered.set(entity, membership);
