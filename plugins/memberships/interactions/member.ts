import { forbidden } from "framewright/host";
import { closedToKeys } from "framewright/plugins/api_keys";
import type { BaseModel, ModelClass } from "framewright/plugins/database";
import { Interaction, resourceOf, valueLabels } from "framewright/plugins/resources";
import { grantableRoles, isAtLeast, type MembershipShape, membershipIn, roleOf, shapeOf } from "../shape.ts";

/** What knows the tenant: a controller, or the context of an action. */
export interface InTenant {
  readonly currentScopedEntity?: unknown;
}
/** A record with a role in a tenant. */
export type Member = BaseModel & { role?: unknown };

/** The membership of the person who acts. */
export const actorOf = ({ currentScopedEntity }: InTenant): Member | undefined =>
  membershipIn(currentScopedEntity) as Member | undefined;

/** The choices of a role: those that the person may grant. */
export function roleChoices(place: InTenant): { value: string; label: string }[] {
  const actor = actorOf(place);
  if (!actor) return [];
  const roles = (actor.constructor as ModelClass).enums.role ?? [];
  return grantableRoles(roles, roleOf(actor)).map((value) => ({ value, label: roleLabel(value) }));
}
export const roleLabel = (role: string): string =>
  role.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

/** The base of interactions on memberships and invitations. */
export abstract class MemberInteraction<M extends BaseModel = Member> extends Interaction<M> {
  /** How the memberships of the portal lead to account and tenant. @throws HttpError 403 where nobody entered by one */
  get shape(): MembershipShape {
    const actor = actorOf(this.controller);
    if (!actor) throw forbidden();
    return shapeOf(this.controller.request.kernel, actor.constructor);
  }
  /**
   * The person's membership as it is stored now, locked: a right that was revoked meanwhile is not in it.
   * @throws HttpError 403, also while somebody acts for the person, and for API keys: members, invitations and keys are the person's own
   */
  async lockActor(): Promise<Member> {
    const { request } = this.controller;
    if (request.actorFor(this.currentUser)) throw forbidden();
    if (request.kernel.has("api_keys") && request.kernel.service("api_keys").grantOf(request)) throw closedToKeys();
    return this.#lock(actorOf(this.controller)?.$id());
  }
  /** A member of the tenant as stored now, locked. @throws HttpError 403 */
  async lockMember(): Promise<Member> {
    return this.#lock(this.record.$id());
  }
  async #lock(id: unknown): Promise<Member> {
    const model = this.shape.model.class as { new (): Member };
    const found =
      id === undefined
        ? undefined
        : await this.query(model)
            .findById(id as number)
            .forUpdate();
    if (!found) throw forbidden();
    return found as Member;
  }
  /** Whether a member may grant a role, or change what somebody with it has. */
  mayGrant(actor: Member, role: string | undefined): boolean {
    const { roles, managers } = this.shape;
    const own = roleOf(actor);
    return role !== undefined && isAtLeast(roles, own, managers) && isAtLeast(roles, own, role);
  }
  /** What a role is called: by the catalogue for the records of the page, else by its name. */
  roleName(role: string): string {
    const { controller } = this;
    const registration = resourceOf(controller);
    return (registration && valueLabels(controller, registration, "role")?.[role]) ?? roleLabel(role);
  }
  text(key: string, vars: Record<string, unknown> = {}): string {
    return this.controller.t(`memberships.${key}`, vars);
  }
}
