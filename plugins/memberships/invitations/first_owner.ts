import type { RequestContext } from "framewright/host";
import { authlibOf } from "framewright/plugins/authlib";
import { type Knex, ModelInfo, type Transaction } from "framewright/plugins/database";
import { columnOf, type MembershipShape } from "../shape.ts";
import type { InvitationRecord } from "./invitation.ts";

/** The columns of an administrator's invitation of the first owner, who has no inviter among the members. */
export interface AdministratorColumns {
  /** The account type of the administrator: "admin". */
  administrator_type: string | null;
  administrator_id: number | null;
}
/** Those of a member's invitation. Empty where the table lacks them, as one of an earlier release. */
export const noAdministrator = (invitation: Function): Partial<AdministratorColumns> =>
  ModelInfo.of(invitation as never).columns.has("administrator_type")
    ? { administrator_type: null, administrator_id: null }
    : {};

/** Whether an administrator invited the first owner of the tenant: there is no inviter, and the role is the owner's. */
export function isOfFirstOwner(invitation: InvitationRecord, { roles }: MembershipShape): boolean {
  const { administrator_type, administrator_id } = invitation as Partial<AdministratorColumns>;
  return !invitation.inviter_id && Boolean(administrator_type && administrator_id) && invitation.role === roles[0];
}

/** Locks a tenant, so that of two who become its first owner at once one does. */
export const lockTenant = async ({ entity }: MembershipShape, id: number, transaction: Transaction): Promise<void> =>
  void (await transaction(entity.target.table).where(entity.target.primaryKey, id).select("id").forUpdate());

/** Whether a tenant has an owner; under its lock as stored now. */
export async function hasOwner(
  { model, entity, roles }: MembershipShape,
  tenantId: number,
  connection: Knex,
  locks = false,
): Promise<boolean> {
  const owners = connection(model.table).where({ [columnOf(entity)]: tenantId, role: roles[0]! });
  return (await (locks ? owners.forUpdate() : owners).first("id")) !== undefined;
}

/** Whether an administrator's invitation of the first owner is valid: the account that sent it is open, and the tenant has no owner yet. */
export async function mayBecomeFirstOwner(
  request: RequestContext,
  invitation: InvitationRecord,
  shape: MembershipShape,
  tenantId: number,
  transaction?: Transaction,
): Promise<boolean> {
  if (!isOfFirstOwner(invitation, shape)) return false;
  const { administrator_type, administrator_id } = invitation as unknown as AdministratorColumns;
  const { kernel } = request;
  const type = kernel.service("auth").types.find(administrator_type!);
  if (!type) return false;
  const authlib = authlibOf(request, type);
  const administrator = await authlib.findAccountById(Number(administrator_id), transaction);
  if (!administrator || !authlib.isOpen(administrator)) return false;
  const connection = transaction ?? kernel.service("database").knex;
  return !(await hasOwner(shape, tenantId, connection, transaction !== undefined));
}
