import { HttpError } from "framewright/host";
import { type BaseModel, type ModelClass, ModelInfo } from "framewright/plugins/database";
import type { StaticHookArguments } from "objection";
import { errors } from "./errors.ts";
import type { MixinClass } from "./mixin_class.ts";
import { columnOf, isAtLeast, ownersOf, roleOf } from "./shape.ts";

/** What `Membership` adds to a record. */
export interface MembershipMethods {
  /** Whether the role is this one or a more privileged one. @throws FW_MEMBERSHIP_ROLE */
  atLeast(role: this["role" & keyof this] & string): boolean;
}

/** 409: the tenant would be left without an owner. */
export class LastOwnerError extends HttpError {
  constructor() {
    super(
      409,
      "FW_LAST_OWNER",
      "a last owner can't leave, be removed or get another role. Make another member the owner first.",
    );
  }
}

/**
 * The model of memberships, each a role in a tenant. The last owner of a tenant stays one, whichever query changes or
 * deletes the row, except where the database deletes it with its tenant. `static managers = "admin"` is the least role that
 * manages members and invitations; by default the second of three or more roles, else the first:
 * `class OrganizationUser extends Membership(Model("organization_users")) { static override enums = { role: ["owner", "member"] }; }`
 */
export function Membership<C extends { new (): BaseModel }>(Base: C): C & MixinClass<MembershipMethods> {
  const Parent = Base as unknown as typeof BaseModel;
  class WithRole extends Parent {
    static readonly isMembership = true;
    atLeast(role: string): boolean {
      const roles = rolesOf(this.constructor);
      if (!roles.includes(role)) throw errors.FW_MEMBERSHIP_ROLE(this.constructor.name, role, roles);
      return isAtLeast(roles, roleOf(this), role);
    }
    static override async beforeUpdate(args: StaticHookArguments<BaseModel>): Promise<void> {
      await Parent.beforeUpdate(args);
      const roles = (args.inputItems as { role?: unknown }[]).map(({ role }) => role);
      if (roles.some((role) => role !== undefined && role !== rolesOf(classOf(args))[0])) await keepOwners(args);
    }
    static override async beforeDelete(args: StaticHookArguments<BaseModel>): Promise<void> {
      await Parent.beforeDelete(args);
      await keepOwners(args);
    }
  }
  return WithRole as never;
}

/** Whether a model is created by `Membership`. */
export const isMembership = (cls: Function): boolean => "isMembership" in cls;

const rolesOf = (cls: Function): readonly string[] => (cls as ModelClass).enums.role ?? [];

/** Locks the owners of the tenants whose rows are written. @throws LastOwnerError where one would keep none */
async function keepOwners(args: Hooked): Promise<void> {
  const { asFindQuery, transaction } = args;
  const cls = classOf(args);
  const info = ModelInfo.of(cls);
  const { entity } = ownersOf(info);
  const [owner] = rolesOf(cls);
  if (!entity || owner === undefined) return;
  const { table } = info;
  const key = columnOf(entity);
  const written = (await asFindQuery().select(`${table}.id`, `${table}.${key}`, `${table}.role`)) as unknown as Row[];
  const leaving = written.filter(({ role }) => role === owner);
  for (const tenant of new Set(leaving.map((row) => row[key]))) {
    const owners: Row[] = await transaction(table)
      .where({ [key]: tenant, role: owner })
      .select("id")
      .forUpdate();
    const gone = new Set(leaving.map(({ id }) => String(id)));
    if (owners.length > 0 && owners.every(({ id }) => gone.has(String(id)))) throw new LastOwnerError();
  }
}

type Row = Record<string, unknown>;
type Hooked = StaticHookArguments<BaseModel>;
/** The class whose rows a query writes. */
const classOf = ({ asFindQuery }: Hooked): ModelClass => asFindQuery().modelClass() as unknown as ModelClass;
