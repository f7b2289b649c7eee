import type { RequestContext } from "framewright/host";
import type { Kernel } from "framewright/kernel";
import { type AccountRecord, type AccountType, authlibOf } from "framewright/plugins/authlib";
import {
  type BaseModel,
  findOrCreate,
  type Knex,
  type ModelClass,
  type ModelInfo,
  type Query,
  type Transaction,
} from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { columnOf, isAtLeast, type MembershipShape, roleOf, shapeOf } from "../shape.ts";
import { isOfFirstOwner, lockTenant, mayBecomeFirstOwner } from "./first_owner.ts";
import { findInvitable } from "./invitable.ts";
import { digestOf, type InvitationClass, type InvitationRecord, type InvitationSettings } from "./invitation.ts";

/** The models of one flow of invitations. */
export interface InvitationModels {
  invitation: { new (): BaseModel };
  membership: { new (): BaseModel };
}
/** What became of an invitation that somebody accepts. */
export type Acceptance = { outcome: "joined"; tenantId: number } | { outcome: "void" } | { outcome: "foreign" };

/** The invitation of a mailed key, whatever its state. */
export async function findInvitation(
  request: RequestContext,
  { invitation }: InvitationModels,
  key: string,
): Promise<InvitationRecord | undefined> {
  const query = request.kernel.service("database").query(invitation) as Query<InvitationRecord>;
  return (await query.where("key_digest", digestOf(key)).first()) as InvitationRecord | undefined;
}

/** Makes the account a member: once, in one transaction that locks the invitation. */
export async function acceptInvitation(
  request: RequestContext,
  models: InvitationModels,
  id: number,
  account: AccountRecord,
): Promise<Acceptance> {
  const database = request.kernel.service("database");
  const shape = shapeOf(request.kernel, models.membership);
  const limits = { until: request.deadline, by: "an invitation" };
  const key = tenantKey(database.model(models.invitation as ModelClass), shape);
  const tenantOf = (invitation: InvitationRecord) => Number((invitation as unknown as Record<string, unknown>)[key]);
  const found = (await database.query(models.invitation).findById(id)) as InvitationRecord | undefined;
  return database.transaction(async (transaction) => {
    const lock = async (one: InvitationRecord | undefined) =>
      one !== undefined && isOfFirstOwner(one, shape) && (await lockTenant(shape, tenantOf(one), transaction));
    await lock(found); // before the invitation, as InviteOwner does
    const query = database.query(models.invitation, transaction) as Query<InvitationRecord>;
    const invitation = (await query.findById(id).forUpdate()) as InvitationRecord | undefined;
    if (!invitation) return { outcome: "void" };
    await lock(invitation);
    const authlib = authlibOf(request, inviteesOf(request.kernel, models.invitation, shape));
    if (!authlib.isLoginOf(account, invitation.email)) return { outcome: "foreign" };
    const tenantId = tenantOf(invitation);
    if (invitation.state === "accepted") {
      const is = await memberOf(shape, transaction, account.id, tenantId);
      return is ? { outcome: "joined", tenantId } : { outcome: "void" };
    }
    if (!(await isValid(request, invitation, shape, tenantId, transaction))) return { outcome: "void" };
    const keys = { [columnOf(shape.entity)]: tenantId, [columnOf(shape.user)]: account.id };
    const membership = await findOrCreate(
      models.membership,
      keys as never,
      { role: invitation.role } as never,
      transaction,
    );
    if (isOfFirstOwner(invitation, shape) && roleOf(membership) !== invitation.role)
      await (membership as BaseModel).$query(transaction).patch({ role: invitation.role } as never); // who was a member before
    await invitation.$query(transaction).patch({ accepted_at: new Date() } as never);
    const tenant = (await findTenant(request, shape, tenantId, transaction))!;
    invitation.invitable = await findInvitable(request.kernel, invitation, tenant, transaction);
    await invitation.onAccepted(account, membership as BaseModel, transaction);
    return { outcome: "joined", tenantId };
  }, limits);
}

/** The account type of those who accept invitations of a class. @throws FW_ACCOUNT_TYPE_UNKNOWN, FW_INVITATION_ACCOUNT */
export function inviteesOf(kernel: Kernel, invitation: { new (): BaseModel }, shape: MembershipShape): AccountType {
  const { account = shape.account } = invitation as unknown as InvitationSettings;
  const type = kernel.service("auth").types.get(account, invitation.name);
  if (type.model !== shape.user.target)
    throw errors.FW_INVITATION_ACCOUNT(invitation.name, account, type.model.constant, shape.user.target.constant);
  return type;
}

/** The foreign key of an invitation to its tenant. */
export function tenantKey({ associations }: Pick<ModelInfo, "associations">, { entity }: MembershipShape): string {
  const found = [...associations.values()].find(({ kind, target }) => kind === "belongsTo" && target === entity.target);
  return columnOf(found ?? entity);
}

/**
 * Whether it still waits, its tenant is there and not in a trash, and its inviter could grant the role now. Without an inviter only
 * the first owner may be invited.
 */
export async function isValid(
  request: RequestContext,
  invitation: InvitationRecord,
  shape: MembershipShape,
  tenantId: number,
  transaction?: Transaction,
): Promise<boolean> {
  if (invitation.state !== "pending" || !shape.roles.includes(invitation.role)) return false;
  if (!(await findTenant(request, shape, tenantId, transaction))) return false;
  if (!invitation.inviter_id) return mayBecomeFirstOwner(request, invitation, shape, tenantId, transaction);
  const authlib = authlibOf(request, request.kernel.service("auth").types.get(shape.account, "isValid"));
  const inviter = await authlib.findAccountById(Number(invitation.inviter_id), transaction);
  if (!inviter || !authlib.isOpen(inviter)) return false;
  const knex = transaction ?? request.kernel.service("database").knex;
  const membership = await memberOf(shape, knex, inviter.id, tenantId, transaction !== undefined);
  const role = roleOf(membership);
  return isAtLeast(shape.roles, role, shape.managers) && isAtLeast(shape.roles, role, invitation.role);
}

async function findTenant(
  { kernel }: RequestContext,
  { entity }: MembershipShape,
  id: number,
  transaction?: Transaction,
): Promise<BaseModel | undefined> {
  const query = kernel.service("database").query(entity.target.class as { new (): BaseModel }, transaction);
  return (await query.findById(id)) as unknown as BaseModel | undefined;
}

async function memberOf(
  { model, entity, user }: MembershipShape,
  connection: Knex,
  accountId: number,
  tenantId: number,
  locks = false,
): Promise<{ role: string } | undefined> {
  const query = connection(model.table).where({ [columnOf(entity)]: tenantId, [columnOf(user)]: accountId });
  return (await (locks ? query.forUpdate() : query).first("role")) as { role: string } | undefined;
}

export type { InvitationClass };
