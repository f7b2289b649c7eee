import type { AccountRecord, AccountType } from "framewright/plugins/authlib";

/** An account with its type. */
export interface Side {
  readonly type: AccountType;
  readonly account: AccountRecord;
}

/**
 * Whether an account may be acted for at all, whatever the policy permits: it is of one of the listed types, and of another than
 * the administrator; its accounts are not created by invitation, as those of administrators are; and its role is none that
 * the administrator's type has above the administrator's own.
 */
export function mayBeActedFor(actor: Side, person: Side, types: ReadonlySet<string>): boolean {
  if (!types.has(person.type.name)) return false;
  if (actor.type === person.type || actor.type.model === person.type.model) return false;
  if (person.type.has("invitation")) return false;
  const roles = actor.type.model.class.enums.role ?? [];
  const [own, other] = [roles.indexOf(String(actor.account.role)), roles.indexOf(String(person.account.role))];
  return other < 0 || (own >= 0 && other >= own);
}

/** "admin 3", as in logs and events. */
export const nameOf = ({ type, account }: Side): string => `${type.name} ${account.id}`;
