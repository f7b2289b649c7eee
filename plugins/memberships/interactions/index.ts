import { forbidden } from "framewright/host";
import { fail, type InteractionAttributes, type Outcome, succeed } from "framewright/plugins/resources";
import { roleOf } from "../shape.ts";
import { MemberInteraction, roleChoices } from "./member.ts";

/** Gives a member another role. Nobody grants or changes a role above their own. */
export class ChangeMemberRole extends MemberInteraction {
  static override attributes: InteractionAttributes = {
    role: { as: "select", required: true, choices: roleChoices, default: ({ record }: Place) => roleOf(record) },
  };
  async execute(): Promise<Outcome> {
    const actor = await this.lockActor();
    const member = await this.lockMember();
    const role = String(this.values.role);
    if (!this.mayGrant(actor, role) || !this.mayGrant(actor, roleOf(member))) throw forbidden();
    await member.$query(this.transaction).patch({ role } as never);
    return succeed(member).withMessage(this.text("role_changed", { role: this.roleName(role) }));
  }
}
interface Place {
  record?: object;
}

/** Takes a member out of the tenant. */
export class RemoveMember extends MemberInteraction {
  async execute(): Promise<Outcome> {
    const actor = await this.lockActor();
    const member = await this.lockMember();
    if (!this.mayGrant(actor, roleOf(member))) throw forbidden();
    await member.$query(this.transaction).delete();
    return succeed(member).withMessage(this.text("removed"));
  }
}

/** A member leaves the tenant. */
export class LeaveTenant extends MemberInteraction {
  async execute(): Promise<Outcome> {
    const actor = await this.lockActor();
    if (actor.$id() !== this.record.$id()) throw forbidden();
    await actor.$query(this.transaction).delete();
    const { request, currentScopedEntity } = this.controller;
    const list = request.kernel.service("scoping").entryUrl(this.controller);
    const mount = list?.startsWith("/") ? list : "/"; // at a host of its own the tenant has no list
    const tenant = (currentScopedEntity as { toLabel(): string }).toLabel();
    return succeed(actor).withMessage(this.text("left", { tenant })).withRedirect(mount);
  }
}

/** Hands the tenant over: another member becomes the owner, and the owner gets the next role. */
export class TransferOwnership extends MemberInteraction {
  static override confirms = true;
  async execute(): Promise<Outcome> {
    const actor = await this.lockActor();
    const member = await this.lockMember();
    const [owner, next] = this.shape.roles;
    if (roleOf(actor) !== owner) throw forbidden();
    if (member.$id() === actor.$id()) return fail({}, this.text("transfer_self"));
    await member.$query(this.transaction).patch({ role: owner } as never);
    await actor.$query(this.transaction).patch({ role: next ?? owner } as never);
    return succeed(member).withMessage(this.text("transferred"));
  }
}
