import { publicOrigin, type RequestContext, underscore } from "framewright/host";
import { authlibOf } from "framewright/plugins/authlib";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import { roleName } from "../role_name.ts";
import type { MembershipShape } from "../shape.ts";
import { inviteesOf } from "./accept.ts";
import { findInvitable, invitableType } from "./invitable.ts";
import type { InvitationClass, InvitationRecord } from "./invitation.ts";

/** An invitation that is mailed, in the transaction that stores it. */
export interface InvitationMail {
  invitation: InvitationClass;
  shape: MembershipShape;
  record: InvitationRecord;
  tenant: BaseModel;
  role: string;
  /** The key of the link, which is stored nowhere. */
  token: string;
  /** The inviter, as named in the mail; the application where that is no member. */
  by: string | undefined;
  transaction: Transaction;
}

/** Mails an invitation, in the invited person's language. */
export async function mailInvitation(request: RequestContext, mail: InvitationMail): Promise<void> {
  const { invitation, shape, record, tenant, role, token, transaction } = mail;
  const invitable = await findInvitable(request.kernel, record, tenant, transaction);
  const own = invitable ? [`invitations/${underscore(String(invitableType(record)).replaceAll("::", "/"))}`] : [];
  const authlib = authlibOf(request, inviteesOf(request.kernel, invitation, shape));
  const invitee = await authlib.findAccountByLogin(record.email, transaction);
  const locale = authlib.mailLocale(invitee);
  const name = tenant.toLabel();
  await request.kernel.service("mailer").deliver({
    to: record.email,
    names: [...own, "memberships/mailer/invitation"],
    subject: authlib.textIn(locale, "memberships.mail_subject", { tenant: name }),
    locale,
    tenant,
    locals: {
      tenant: name,
      by: mail.by ?? authlib.textIn(locale, "application.name"),
      role: roleName(request, locale, role, [ModelInfo.of(invitation), shape.model]),
      invitable: invitable?.toLabel(),
      days: invitation.days,
      url: `${publicOrigin(request)}${request.settings.basePath}${invitation.path}?key=${token}`,
    },
    transaction,
  });
}
