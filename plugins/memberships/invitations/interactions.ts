import { forbidden } from "framewright/host";
import { type AuthlibBase, authlibOf } from "framewright/plugins/authlib";
import { type BaseModel, encodeDate, isDuplicate, type ModelClass } from "framewright/plugins/database";
import { fail, type InteractionAttributes, type Outcome, succeed } from "framewright/plugins/resources";
import { actorOf, type InTenant, type Member, MemberInteraction, roleChoices } from "../interactions/member.ts";
import { columnOf } from "../shape.ts";
import { inviteesOf } from "./accept.ts";
import { noAdministrator } from "./first_owner.ts";
import { invitableColumns } from "./invitable.ts";
import { type InvitationClass, type InvitationRecord, issueKey } from "./invitation.ts";
import { HOUR_MS, SPACING_MS } from "./limits.ts";
import { mailInvitation } from "./mail_invitation.ts";

/** What interactions on invitations share. The class is the interaction's `static invitation`, or its record's. */
abstract class InvitationInteraction extends MemberInteraction<InvitationRecord> {
  static invitation: { new (): BaseModel } | undefined = undefined;

  get invitation(): InvitationClass {
    const own = (this.constructor as typeof InvitationInteraction).invitation;
    return (own ?? this.record?.constructor) as InvitationClass;
  }
  /** The accounts of those who are invited. */
  get authlib(): AuthlibBase {
    const { request } = this.controller;
    return authlibOf(request, inviteesOf(request.kernel, this.invitation, this.shape));
  }
  /** Stores a new key, which replaces the earlier link, and mails it. `more`: further columns. */
  async send(record: InvitationRecord, inviter: Member, role: string, more: object = {}): Promise<void> {
    const { token, columns } = issueKey(this.invitation);
    const inviter_id = this.inviterId(inviter);
    const own = { ...columns, ...noAdministrator(this.invitation), ...more, role, inviter_id };
    await record.$query(this.transaction).patch(own as never);
    await this.mail(record, role, token);
  }
  async mail(record: InvitationRecord, role: string, token: string): Promise<void> {
    const { invitation, shape, transaction } = this;
    const tenant = this.currentScopedEntity as BaseModel;
    const by = (this.currentUser as { toLabel(): string }).toLabel();
    await mailInvitation(this.controller.request, { invitation, shape, record, tenant, role, token, by, transaction });
  }
  /** The invitation as it is stored now, for a person who may grant its role. @throws HttpError 403 */
  async lockInvitation(): Promise<{ actor: Member; record: InvitationRecord }> {
    const actor = await this.lockActor();
    const found = await this.query(this.invitation)
      .findById(this.record.$id() as number)
      .forUpdate();
    const record = found as InvitationRecord | undefined;
    if (!record || !this.mayGrant(actor, record.role)) throw forbidden();
    return { actor, record };
  }
  inviterId(inviter: Member): unknown {
    return (inviter as unknown as Record<string, unknown>)[columnOf(this.shape.user)];
  }
  /** Why no more may be sent now; undefined where they may. */
  async limitProblem(inviter: Member): Promise<string | undefined> {
    const { perHour } = this.invitation;
    const recent = () =>
      this.query(this.invitation).where("sent_at", ">", encodeDate(new Date(Date.now() - HOUR_MS)) as never);
    const [tenant, own] = [
      await recent().resultSize(),
      await recent()
        .where("inviter_id", this.inviterId(inviter) as never)
        .resultSize(),
    ];
    return tenant >= perHour.tenant || own >= perHour.inviter ? this.text("too_many") : undefined;
  }
}

/** Invites an address into the tenant with a role. The answer is the same whether the address has an account or not. */
export class InviteMember extends InvitationInteraction {
  static override attributes: InteractionAttributes = {
    email: { as: "email", required: true, length: { maximum: 254 } },
    role: {
      as: "select",
      required: true,
      choices: roleChoices,
      default: defaultRole,
    },
  };
  async execute(): Promise<Outcome> {
    const actor = await this.lockActor();
    const { role } = this;
    if (!this.mayGrant(actor, role)) throw forbidden();
    await this.lockTenant();
    const { authlib } = this;
    const email = authlib.normalizeLogin(String(this.values.email));
    const problem = authlib.loginProblem(email) ?? this.domainProblem(email) ?? (await this.memberProblem(email));
    if (problem !== undefined) return fail({ email: [problem] });
    const refused = (await this.limitProblem(actor)) ?? (await this.#store(email, role, actor));
    return refused === undefined ? succeed().withMessage(this.text("invited", { email })) : fail({}, refused);
  }
  /** The role that the invited person gets. */
  get role(): string {
    return String(this.values.role);
  }
  /** Further columns of the invitation. */
  get columns(): object {
    return invitableColumns(this.invitation);
  }
  /** One invitation at a time for each tenant, so that parallel ones keep to the limits. */
  async lockTenant(): Promise<void> {
    const { entity } = this.shape;
    const id = (this.currentScopedEntity as BaseModel).$id();
    await this.transaction(entity.target.table).where({ id }).select("id").forUpdate();
  }
  domainProblem(email: string): string | undefined {
    const { enforceDomain } = this.invitation;
    if (enforceDomain === undefined) return undefined;
    const domain = String((this.currentScopedEntity as Record<string, unknown>)[enforceDomain] ?? "").toLowerCase();
    return domain !== "" && email.endsWith(`@${domain}`) ? undefined : this.text("domain", { domain });
  }
  /** Members see each other, so that this reveals nothing of accounts. */
  async memberProblem(email: string): Promise<string | undefined> {
    const { model, user } = this.shape;
    const found = await this.authlib.findAccountByLogin(email, this.transaction);
    const members = this.query(model.class as { new (): Member }).where(columnOf(user), (found?.id ?? 0) as never);
    return found && (await members.first()) ? this.text("is_member", { email }) : undefined;
  }
  async #store(email: string, role: string, actor: Member): Promise<string | undefined> {
    const known = (await this.query(this.invitation)
      .where("email", email as never)
      .forUpdate()
      .first()) as InvitationRecord | undefined;
    if (known?.state === "pending" && Date.now() - new Date(known.sent_at).getTime() < SPACING_MS)
      return this.text("just_sent", { email });
    if (known) await this.send(known, actor, role, this.columns);
    else {
      const { token, columns } = issueKey(this.invitation);
      const row = { email, role, inviter_id: this.inviterId(actor), ...columns, ...this.columns };
      let record: InvitationRecord;
      try {
        record = (await this.query(this.invitation).insert(row as never)) as unknown as InvitationRecord;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return this.text("just_sent", { email }); // another request was faster
      }
      await this.mail(record, role, token);
    }
    return undefined;
  }
}

/** Invites an address for a record of the tenant, which is notified when the invitation is accepted. */
export class InviteToRecord extends InviteMember {
  static override attributes: InteractionAttributes = {
    email: { as: "email", required: true, length: { maximum: 254 } },
  };
  /** The role that the invited people get. */
  static role = "";
  override get role(): string {
    return (this.constructor as typeof InviteToRecord).role;
  }
  override get columns(): object {
    return invitableColumns(this.invitation, this.record);
  }
}

/** The second role where the person may grant it, else the most privileged one that they may. */
function defaultRole(place: InTenant): string | undefined {
  const second = (actorOf(place)?.constructor as ModelClass | undefined)?.enums.role?.[1];
  const choices = roleChoices(place).map(({ value }) => value);
  return choices.find((role) => role === second) ?? choices[0];
}

/** Mails a new link; the earlier one is void. */
export class ResendInvitation extends InvitationInteraction {
  async execute(): Promise<Outcome> {
    const { actor, record } = await this.lockInvitation();
    if (record.state === "accepted") return fail({}, this.text("is_member", { email: record.email }));
    if (Date.now() - new Date(record.sent_at).getTime() < SPACING_MS)
      return fail({}, this.text("just_sent", { email: record.email }));
    const refused = await this.limitProblem(actor);
    if (refused !== undefined) return fail({}, refused);
    await this.send(record, actor, record.role);
    return succeed(record).withMessage(this.text("invited", { email: record.email }));
  }
}

/** Takes an invitation back: its link is void. */
export class RevokeInvitation extends InvitationInteraction {
  async execute(): Promise<Outcome> {
    const { record } = await this.lockInvitation();
    if (record.state === "accepted") return fail({}, this.text("is_member", { email: record.email }));
    await record.$query(this.transaction).patch({ revoked_at: new Date() } as never);
    return succeed(record).withMessage(this.text("revoked", { email: record.email }));
  }
}
