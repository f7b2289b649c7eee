import type { GuardedFetch, TargetRules } from "framewright/host/outbound";
import type { AccountType } from "framewright/plugins/authlib";
import type { Limiter } from "framewright/plugins/limits";
import type { MembershipShape } from "framewright/plugins/memberships";
import type { Domains } from "./domains/domains.ts";
import type { Connections } from "./store/connections.ts";

/** A domain of a tenant, proven or to be proven. */
export interface Domain {
  readonly id: number;
  readonly tenant_id: number;
  /** As DNS has it. */
  readonly domain: string;
  readonly token: string;
  readonly proven_at: Date | null;
  /** When the record was seen last. */
  readonly checked_at: Date | null;
  /** Since when it is not seen. */
  readonly failing_since: Date | null;
  /** When the proof was given up, of one that was proven before. */
  readonly lapsed_at: Date | null;
}

/** A tenant's own provider. */
export interface Connection {
  readonly id: number;
  readonly tenant_id: number;
  /** Another one after each change of issuer or client: what was started before is not completed after. */
  readonly revision: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly roles_claim: string | null;
  /** The roles by values of the claim, in their order. */
  readonly roles: readonly RoleOfValue[];
  /** The role of people without a value of the claim. */
  readonly default_role: string;
  /** Whether people without a membership become members at their first sign-in. */
  readonly provisions: boolean;
  /** Whether roles follow the claim at later sign-ins. */
  readonly refreshes_roles: boolean;
  /** Whether members whose address is in a proven domain sign in by the provider alone. */
  readonly enforced: boolean;
  /** When somebody signed in by it last, since issuer or client were changed. */
  readonly used_at: Date | null;
}
/** A role that a value of a claim gives. */
export interface RoleOfValue {
  readonly value: string;
  readonly role: string;
}

/** What a person who configures a provider types. */
export type ConnectionValues = Pick<
  Connection,
  "issuer" | "client_id" | "roles_claim" | "roles" | "default_role" | "provisions" | "refreshes_roles"
>;

/** The service of the slot `sso`: what the feature `tenantSso()` and the pages of portals share. */
export interface Sso {
  domains(type: AccountType): Domains;
  connections(type: AccountType): Connections;
  /** How the members of an account type's tenants are stored. @throws FW_SSO_MEMBERSHIP */
  shapeOf(type: AccountType): MembershipShape;
  /** What people call a tenant; undefined for one that is deleted. */
  labelOf(type: AccountType, tenantId: number): Promise<string | undefined>;
  /** Sends the requests to providers. */
  readonly fetch: GuardedFetch;
  readonly rules: TargetRules;
  /** Counts the addresses that are looked up before a sign-in, by network. */
  readonly lookups: Limiter;
  /** Counts what is requested of DNS and of providers while a tenant is set up. */
  readonly checks: Limiter;
}

declare module "framewright/kernel" {
  interface Slots {
    sso: { service: Sso };
  }
}
