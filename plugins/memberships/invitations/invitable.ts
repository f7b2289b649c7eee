import type { Kernel } from "framewright/kernel";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import type { InvitationClass, InvitationRecord } from "./invitation.ts";

/** A record for which somebody is invited. */
export interface Invitable {
  /** Called in the transaction that makes the invited person a member. */
  onInviteAccepted(user: BaseModel, transaction: Transaction): Promise<void>;
}
/** The columns of an invitation that name its record. */
export interface InvitableColumns {
  invitable_type: string | null;
  invitable_id: number | null;
}
type Link = Partial<InvitableColumns>;

/** The columns that name a record, or none. Empty where the table of the invitations has no such columns. @throws FW_MEMBERSHIP_CLASS */
export function invitableColumns(invitation: InvitationClass, record?: BaseModel): Link {
  const { columns, constant } = ModelInfo.of(invitation);
  if (!columns.has("invitable_type")) {
    if (record)
      throw errors.FW_MEMBERSHIP_CLASS("invitations with the columns invitable_type and invitable_id", constant);
    return {};
  }
  if (!record) return { invitable_type: null, invitable_id: null };
  return { invitable_type: ModelInfo.ofRecord(record).constant, invitable_id: Number(record.$id()) };
}

/** The model of the record of an invitation. */
export const invitableType = (invitation: InvitationRecord): string | undefined =>
  (invitation as Link).invitable_type ?? undefined;

/** The record of an invitation, locked; undefined where it has none, or it is not in the tenant any more. */
export async function findInvitable(
  kernel: Kernel,
  invitation: InvitationRecord,
  tenant: BaseModel,
  transaction: Transaction,
): Promise<(BaseModel & Invitable) | undefined> {
  const { invitable_type, invitable_id } = invitation as Link;
  if (!invitable_type || !invitable_id) return undefined;
  const model = kernel.service("database").model(invitable_type);
  const query = kernel.service("scoping").query(tenant, model.class as { new (): BaseModel }, transaction);
  return (await query.findById(invitable_id).forUpdate()) as (BaseModel & Invitable) | undefined;
}
