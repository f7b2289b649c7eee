import type { BaseController, ControllerClass, Mixin } from "framewright/host";
import type { BaseModel, Database, Query } from "framewright/plugins/database";
import type { PolicyClass } from "framewright/plugins/resources";
import { errors } from "./errors.ts";
import { columnOf, enterBy, isAtLeast, membershipIn, roleOf, shapeOf } from "./shape.ts";

type Class<M extends BaseModel = BaseModel> = { new (): M };

/** What `Members` adds to a portal's controllers. */
export interface MembersConcern<M extends BaseModel> {
  /** The membership of the signed-in account in the tenant; undefined outside of one. */
  readonly currentMembership: M | undefined;
}
/** Options of `Members()`. */
export interface MembersOptions {
  /** Where somebody without a membership is sent: `/welcome`. */
  welcome?: string;
}

/** The concern of a portal whose tenants are entered by memberships: `Members(OrganizationUser)`. */
export function Members<M extends BaseModel>(
  Membership: Class<M>,
  { welcome }: MembersOptions = {},
): Mixin<MembersConcern<M>> {
  return (Base) => {
    class WithMembership extends (Base as unknown as ControllerClass) {
      static readonly membership = Membership;
      /** Where the portal's root leads an account that may enter no tenant. */
      get welcomeUrl(): string | undefined {
        return welcome === undefined ? undefined : this.request.safeLocation(welcome);
      }
      get currentMembership(): M | undefined {
        return membershipIn(this.currentScopedEntity) as M | undefined;
      }
      /** Whether the account is a member of the tenant. Checked at each request, so that a removed member is out at once. */
      async authorizeEntity(entity: BaseModel): Promise<boolean> {
        const query = memberships(this, Membership);
        const shape = shapeOf(this.request.kernel, Membership);
        const found = await query?.where(columnOf(shape.entity), entity.$id() as number).first();
        if (!found) return false;
        enterBy(entity, found as BaseModel);
        return true;
      }
      /** The tenants that the account may enter. */
      enterableEntities(database: Database): Query<BaseModel> | undefined {
        const { entity } = shapeOf(this.request.kernel, Membership);
        const ids = memberships(this, Membership)?.select(columnOf(entity));
        const all = database.query(entity.target.class) as Query<BaseModel>;
        return ids && all.whereIn(`${entity.target.table}.id`, ids as never);
      }
      /** The list of tenants, which leads to the same page of another one. */
      get switchUrl(): string | undefined {
        if (this.currentScopedEntity === undefined) return undefined;
        const { route, kernel } = this.request;
        const list = kernel.service("scoping").entryUrl(this);
        if (list === undefined) return undefined;
        const about = route && kernel.service("resources").registry.routes.get(route);
        const to = about ? `/${about.registration.path}` : "";
        return `${list}?to=${encodeURIComponent(to)}`;
      }
      override pageLocals(): Record<string, unknown> {
        const { currentMembership, switchUrl } = this;
        return { ...super.pageLocals(), current_membership: currentMembership, switch_url: switchUrl };
      }
    }
    return WithMembership as never;
  };
}

/** The class of memberships by which people enter what a controller serves. */
export const membershipOf = (controller: object): Class | undefined =>
  (controller as { membership?: Class }).membership;
/** The accounts that are members of a request's tenant; undefined where no memberships lead to one. */
export function membersOf(controller: BaseController): Query<BaseModel> | undefined {
  const { currentScopedEntity, request } = controller;
  const Membership = membershipOf(controller.constructor);
  if (!Membership || !currentScopedEntity) return undefined;
  const database = request.kernel.service("database");
  const { user, entity } = shapeOf(request.kernel, Membership);
  const members = database.query(Membership) as Query<BaseModel>;
  const ids = members
    .where(columnOf(entity), (currentScopedEntity as BaseModel).$id() as number)
    .select(columnOf(user));
  const { table, primaryKey, class: cls } = user.target;
  return (database.query(cls) as unknown as Query<BaseModel>).whereIn(`${table}.${primaryKey}`, ids as never);
}
/** The roles of a membership's class, the most privileged first. */
export const rolesOfMembers = (Membership: Class): readonly string[] =>
  (Membership as unknown as { enums: Record<string, readonly string[]> }).enums.role ?? [];
/** Enters a tenant as a member with a role who is nobody: to check what policies allow. */
export function enterAs(Membership: Class, role: string, tenant: object): void {
  enterBy(tenant, Object.assign(new Membership(), { role }));
}

/** The memberships of the request's account. */
function memberships(controller: BaseController, Membership: Class): Query<BaseModel> | undefined {
  const { kernel } = controller.request;
  const shape = shapeOf(kernel, Membership);
  const user: unknown = controller.currentUser;
  if (!(user instanceof (shape.user.target.class as Class))) return undefined;
  const query = kernel.service("database").query(Membership) as Query<BaseModel>;
  return query.where(columnOf(shape.user), user.$id() as number);
}

/** What `MemberPolicy` adds to a portal's policies. */
export interface MemberPolicyMethods<M> {
  /** The membership of the person in the tenant. */
  readonly membership: M | undefined;
  /** Whether the person's role is this one or a more privileged one: `return this.atLeast("admin")`. @throws FW_MEMBERSHIP_ROLE */
  atLeast(role: M extends { role: infer R } ? R & string : string): boolean;
}

/** The base of policies that check a role: `class extends MemberPolicy(Base, OrganizationUser)`. */
export function MemberPolicy<B extends PolicyClass, M extends BaseModel>(
  Base: B,
  Membership: Class<M>,
): B & PolicyClass<MemberPolicyMethods<M>> {
  class WithMembership extends (Base as PolicyClass) {
    get membership(): BaseModel | undefined {
      const found = membershipIn(this.entityScope);
      return found instanceof Membership ? found : undefined;
    }
    atLeast(role: string): boolean {
      const roles = rolesOfMembers(Membership);
      if (!roles.includes(role)) throw errors.FW_MEMBERSHIP_ROLE(Membership.name, role, roles);
      return isAtLeast(roles, roleOf(this.membership), role);
    }
  }
  return WithMembership as never;
}
