import { hintOf, newApiKey } from "framewright/plugins/api_keys";
import type { BaseModel, ModelClass } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { digestOf } from "../invitations/invitation.ts";
import type { MixinClass } from "../mixin_class.ts";
import { isAtLeast, roleOf } from "../shape.ts";

/** An API client as it is stored. */
export type ApiClientRecord = BaseModel & {
  name: string;
  role: string;
  key_hint: string;
  disabled_at: Date | null;
  last_used_at: Date | null;
  /** As in "desks:read desks:write"; null, or no such column, for all that the role permits. */
  scopes?: string | null;
  /** Null, or no such column, for a key that does not expire. */
  expires_at?: Date | null;
} & ApiClientMethods;

/** What `ApiClientModel` adds to a record. */
export interface ApiClientMethods {
  /** Whether the role is this one or a more privileged one. @throws FW_MEMBERSHIP_ROLE */
  atLeast(role: this["role" & keyof this] & string): boolean;
}

const CLIENTS = Symbol("API clients");
/** Whether a class is one of API clients. */
export const isApiClientClass = (cls: Function): boolean => CLIENTS in cls;

/**
 * The model of API clients, the programs of a tenant: `class ApiClient extends ApiClientModel(Model("api_clients")) {}`. Its
 * table has the tenant, name, role, key_digest, key_hint, disabled_at and last_used_at, and may have scopes and expires_at.
 */
export function ApiClientModel<C extends { new (): BaseModel }>(Base: C): C & MixinClass<ApiClientMethods> {
  class WithKey extends (Base as unknown as { new (): BaseModel }) {
    static readonly [CLIENTS] = true;
    atLeast(role: string): boolean {
      return clientIsAtLeast(this.constructor, this, role);
    }
  }
  return WithKey as never;
}

/** Whether a client of a class has a role or a more privileged one. @throws FW_MEMBERSHIP_ROLE */
export function clientIsAtLeast(Client: Function, client: object | undefined, role: string): boolean {
  const roles = rolesOf(Client);
  if (!roles.includes(role)) throw errors.FW_MEMBERSHIP_ROLE(Client.name, role, roles);
  return isAtLeast(roles, roleOf(client), role);
}
/** The roles of a class of clients, the most privileged first. */
export const rolesOf = (Client: Function): readonly string[] => (Client as ModelClass).enums.role ?? [];

/** A new key, and the columns that store its digest and its last four characters. */
export function issueApiKey(): { key: string; columns: { key_digest: string; key_hint: string } } {
  const key = newApiKey();
  return { key, columns: { key_digest: digestOf(key), key_hint: hintOf(key) } };
}
