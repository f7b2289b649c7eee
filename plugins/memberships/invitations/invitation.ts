import { createHash, randomBytes } from "node:crypto";
import { type BaseModel, encodeDate, type Transaction } from "framewright/plugins/database";
import type { MixinClass } from "../mixin_class.ts";
import type { Invitable } from "./invitable.ts";

const DAY_MS = 86_400_000;
/** An invitation as it is stored. */
export type InvitationRecord = BaseModel & {
  email: string;
  role: string;
  /** Null where an administrator invites the first owner of a tenant. */
  inviter_id: number | null;
  sent_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
} & InvitationMethods;

/** The state of an invitation. */
export type InvitationState = "pending" | "accepted" | "revoked" | "expired";
/** What `Invitation` adds to a record. */
export interface InvitationMethods {
  readonly state: InvitationState;
  /** The record for which somebody is invited, while the invitation is accepted; undefined without one. */
  invitable: Invitable | undefined;
  /** Called in the transaction that makes somebody a member. Calls `onInviteAccepted` of the invitable record. */
  onAccepted(account: BaseModel, membership: BaseModel, transaction: Transaction): Promise<void>;
}
/** Settings of invitations, to override in the class. */
export interface InvitationSettings {
  /** Where the mailed link leads. */
  path: string;
  /** How many days a link is valid. */
  days: number;
  /** The most addresses that a tenant, and that one member, may invite within an hour. */
  perHour: { tenant: number; inviter: number };
  /** The tenant's column whose domain the addresses must have: `domain`. */
  enforceDomain: string | undefined;
  /** The account type that invited people sign up and accept with; by default that of the memberships' accounts. */
  account: string | undefined;
}
export type InvitationClass = { new (): InvitationRecord } & InvitationSettings;

/**
 * The model of invitations: `class OrganizationUserInvite extends Invitation(Model("organization_user_invites")) {}`. Its
 * table has the tenant, email, role, the account `inviter`, key_digest, sent_at, expires_at, accepted_at and revoked_at.
 */
export function Invitation<C extends { new (): BaseModel }>(
  Base: C,
): C & MixinClass<InvitationMethods> & InvitationSettings {
  class WithInvitation extends (Base as unknown as { new (): InvitationRecord }) {
    static readonly isInvitation = true;
    static path = "/invitations";
    static days = 7;
    static perHour = { tenant: 50, inviter: 20 };
    static enforceDomain: string | undefined = undefined;
    static account: string | undefined = undefined;
    override get state(): InvitationState {
      if (this.accepted_at) return "accepted";
      if (this.revoked_at) return "revoked";
      return new Date(this.expires_at) > new Date() ? "pending" : "expired";
    }
    override get invitable(): Invitable | undefined {
      return invitables.get(this);
    }
    override set invitable(record: Invitable | undefined) {
      if (record) invitables.set(this, record);
    }
    override async onAccepted(account: BaseModel, _membership: BaseModel, transaction: Transaction): Promise<void> {
      await this.invitable?.onInviteAccepted(account, transaction);
    }
  }
  return WithInvitation as never;
}

/** Whether a model is created by `Invitation`. */
export const isInvitation = (cls: Function): boolean => "isInvitation" in cls;

/** Module-level: beside the records, so that no query writes them. */
const invitables = new WeakMap<object, Invitable>();

export const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** A new key: the token for the link, and the columns that store it. */
export function issueKey({ days }: InvitationSettings): { token: string; columns: Record<string, unknown> } {
  const token = randomBytes(32).toString("base64url");
  const now = new Date();
  const columns = {
    key_digest: digestOf(token),
    sent_at: now,
    expires_at: new Date(now.getTime() + days * DAY_MS),
    accepted_at: null,
    revoked_at: null,
  };
  return { token, columns };
}

/** The condition of invitations that still wait, for a query. */
export function pendingOnly<Q extends { where: Function; whereNull: Function }>(query: Q, table: string): Q {
  query.whereNull(`${table}.accepted_at`);
  query.whereNull(`${table}.revoked_at`);
  query.where(`${table}.expires_at`, ">", encodeDate(new Date()));
  return query;
}
