import { forbidden } from "framewright/host";
import type { Kernel } from "framewright/kernel";
import { authlibOf } from "framewright/plugins/authlib";
import { type BaseModel, encodeDate, type ModelClass, ModelInfo, type Query } from "framewright/plugins/database";
import { fail, Interaction, type InteractionAttributes, type Outcome, succeed } from "framewright/plugins/resources";
import { errors } from "../errors.ts";
import { type MembershipShape, shapeOf } from "../shape.ts";
import { inviteesOf, tenantKey } from "./accept.ts";
import { type AdministratorColumns, hasOwner, lockTenant } from "./first_owner.ts";
import { invitableColumns } from "./invitable.ts";
import { type InvitationClass, type InvitationRecord, issueKey } from "./invitation.ts";
import { HOUR_MS, SPACING_MS } from "./limits.ts";
import { mailInvitation } from "./mail_invitation.ts";

/**
 * An administrator invites the first owner of a tenant, on the tenant's record: `class extends InviteOwner { static override
 * invitation = OrganizationUserInvite; static override membership = OrganizationUser; }`. It is refused where the tenant has an
 * owner, and an invitation ends once it has one. A new one replaces those that the vendor sent before.
 */
export class InviteOwner extends Interaction<BaseModel> {
  static override confirms = true;
  static readonly invitesOwner = true;
  static override attributes: InteractionAttributes = {
    email: { as: "email", required: true, length: { maximum: 254 } },
  };
  static invitation: { new (): BaseModel } | undefined = undefined;
  static membership: { new (): BaseModel } | undefined = undefined;

  async execute(): Promise<Outcome> {
    const { request } = this.controller;
    const { invitation, shape } = this.#flow;
    const administrator = this.#administrator();
    const tenantId = Number(this.record.$id());
    await lockTenant(shape, tenantId, this.transaction);
    if (await hasOwner(shape, tenantId, this.transaction, true)) return fail({}, this.#text("has_owner"));
    const authlib = authlibOf(request, inviteesOf(request.kernel, invitation, shape));
    const email = authlib.normalizeLogin(String(this.values.email));
    const problem = authlib.loginProblem(email) ?? this.#domainProblem(invitation, email);
    if (problem !== undefined) return fail({ email: [problem] });
    const invitations = () =>
      (this.unscopedQuery(invitation) as Query<InvitationRecord>).where(
        tenantKey(ModelInfo.of(invitation), shape),
        tenantId as never,
      );
    const known = (await invitations()
      .where("email", email as never)
      .forUpdate()
      .first()) as InvitationRecord | undefined;
    const refused = await this.#limitProblem(invitation, known, email, administrator);
    if (refused !== undefined) return fail({}, refused);
    const replaced = invitations().whereNull("accepted_at").whereNull("revoked_at").whereNotNull("administrator_id");
    await replaced.patch({ revoked_at: new Date() } as never);
    const { token, columns } = issueKey(invitation);
    const values = {
      ...columns,
      ...invitableColumns(invitation),
      ...administrator,
      role: shape.roles[0],
      inviter_id: null,
    };
    const row = { ...values, email, [tenantKey(ModelInfo.of(invitation), shape)]: tenantId };
    if (known) await known.$query(this.transaction).patch(values as never);
    const record =
      known ?? ((await this.unscopedQuery(invitation).insert(row as never)) as unknown as InvitationRecord);
    const mail = { invitation, shape, record, tenant: this.record, role: shape.roles[0]!, token, by: undefined };
    await mailInvitation(request, { ...mail, transaction: this.transaction });
    return succeed().withMessage(this.#text("invited", { email }));
  }

  /** @throws FW_INVITATION_COLUMNS */
  get #flow(): { invitation: InvitationClass; shape: MembershipShape } {
    const action = this.constructor as typeof InviteOwner;
    const shape = shapeOfFlow(this.controller.request.kernel, action, ModelInfo.ofRecord(this.record));
    const problem = columnsProblem(ModelInfo.of(action.invitation as ModelClass));
    if (problem !== undefined) throw errors.FW_INVITATION_COLUMNS(problem);
    return { invitation: action.invitation as InvitationClass, shape };
  }
  /** The inviter, for the columns of the invitation. @throws HttpError 403 without an account, and while somebody acts for them */
  #administrator(): AdministratorColumns {
    const { currentUser } = this;
    const { request } = this.controller;
    const type = request.kernel
      .service("auth")
      .types.all()
      .find(({ model }) => currentUser instanceof model.class);
    if (!type || request.actorFor(currentUser)) throw forbidden();
    return { administrator_type: type.name, administrator_id: Number((currentUser as BaseModel).$id()) };
  }
  async #limitProblem(
    invitation: InvitationClass,
    known: InvitationRecord | undefined,
    email: string,
    administrator: AdministratorColumns,
  ): Promise<string | undefined> {
    if (known?.state === "pending" && Date.now() - new Date(known.sent_at).getTime() < SPACING_MS)
      return this.#text("just_sent", { email });
    const since = encodeDate(new Date(Date.now() - HOUR_MS));
    const sent = this.unscopedQuery(invitation)
      .where(administrator as never)
      .where("sent_at", ">", since as never);
    return (await sent.resultSize()) >= invitation.perHour.inviter ? this.#text("too_many") : undefined;
  }
  #domainProblem({ enforceDomain }: InvitationClass, email: string): string | undefined {
    if (enforceDomain === undefined) return undefined;
    const domain = String((this.record as unknown as Record<string, unknown>)[enforceDomain] ?? "").toLowerCase();
    return domain !== "" && email.endsWith(`@${domain}`) ? undefined : this.#text("domain", { domain });
  }
  #text(key: string, vars: Record<string, unknown> = {}): string {
    return this.controller.t(`memberships.${key}`, vars);
  }
}

/** How the memberships of an action lead to the tenants that a resource has. @throws FW_MEMBERSHIP_CLASS */
export function shapeOfFlow(
  kernel: Kernel,
  { name, membership }: typeof InviteOwner,
  tenants: ModelInfo,
): MembershipShape {
  const shape = shapeOf(kernel, membership!);
  if (shape.entity.target === tenants) return shape;
  throw errors.FW_MEMBERSHIP_CLASS(`the records of ${shape.entity.target.constant}`, name);
}

/** The model of invitations that can't be of a first owner, and what it lacks; undefined for one that can. */
export function columnsProblem({ constant, columns, associations }: ModelInfo): string | undefined {
  const isTaken = columns.has("administrator_type") && columns.has("administrator_id");
  if (!isTaken) return `${constant}, whose table lacks administrator_type and administrator_id`;
  const inviter = associations.get("inviter");
  return inviter?.optional === false ? `${constant}, whose inviter is not optional` : undefined;
}
