import type { BaseModel } from "framewright/plugins/database";
import type { ResourceDefinition } from "framewright/plugins/resources";
import {
  ChangeAccountLogin,
  CloseAccount,
  EndSession,
  EndSessions,
  LockAccount,
  MailPasswordReset,
  RemoveFactors,
  ReopenAccount,
  ResendAccountInvitation,
  UnlockAccount,
  VerifyAccount,
} from "./interactions.ts";

export { AccountInteraction } from "./account_interaction.ts";
export * from "./interactions.ts";

/** Options of `accountActions()`. */
export interface AccountActionsOptions {
  /** The predicate of the policy that allows them; by default `canManageAccount()`. */
  policy?: string;
  /**
   * The predicate that allows to change an account's address, as "change_login" for `canChangeLogin()`; without it nobody can.
   * Whoever gives an account another address, and mails a password link to it, has the account.
   */
  changeLogin?: string;
  /** The account type, where several have this model. */
  account?: string;
}

const actions = [
  [EndSession, "logout", "secondary", 57],
  [ResendAccountInvitation, "mail-forward", "secondary", 58],
  [VerifyAccount, "user-check", "secondary", 59],
  [UnlockAccount, "lock-open", "secondary", 60],
  [MailPasswordReset, "mail", "secondary", 61],
  [EndSessions, "logout", "secondary", 62],
  [ChangeAccountLogin, "at", "secondary", 63],
  [LockAccount, "lock", "danger", 64],
  [RemoveFactors, "shield-off", "danger", 65],
  [CloseAccount, "user-x", "danger", 66],
  [ReopenAccount, "user-check", "secondary", 67],
] as const;

/**
 * Adds the administrators' actions to the page of an account's record, where the policy's `canManageAccount()` allows
 * them, and panels of its sessions and sign-ins, where its `canShowSignIns()` does:
 * `configure() { super.configure(); accountActions(this); }` in the definition of the account's model.
 */
export function accountActions<M extends BaseModel>(
  definition: ResourceDefinition<M>,
  { policy = "manage_account", changeLogin, account }: AccountActionsOptions = {},
): void {
  for (const [Action, icon, category, position] of actions) {
    const interaction = account === undefined ? Action : forType(Action, account);
    const options = { interaction, icon, category, position, collectionRecordAction: false };
    const key = Action.accountOperation;
    if (key === "end_session") definition.action(key, { ...options, policy, hidden: true });
    else if (key !== "change_login") definition.action(key, { ...options, policy, confirmation: true });
    else if (changeLogin !== undefined) definition.action(key, { ...options, policy: changeLogin });
  }
}

type ActionClass = (typeof actions)[number][0];
/** A subclass for one account type, where two types have the same model. */
function forType(Action: ActionClass, account: string): ActionClass {
  const OfType = class extends (Action as typeof EndSessions) {
    static override account = account;
  };
  Object.defineProperty(OfType, "name", { value: Action.name });
  return OfType as unknown as ActionClass;
}
