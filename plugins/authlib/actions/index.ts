import type { BaseModel } from "framewright/plugins/database";
import { fail, Interaction, type Outcome, type ResourceDefinition, succeed } from "framewright/plugins/resources";
import type { AccountType } from "../account_type.ts";
import { type AccountOperation, typeOfRecord } from "../administration/hidden_actions.ts";
import { AccountAdministration, isRefusal } from "../administration/index.ts";
import * as operations from "../administration/operations.ts";
import { type RemovedFactors, removeFactors } from "../administration/remove_factors.ts";

/** An administrator's action on the account of a record's page. The administrator confirms their identity first. */
export abstract class AccountInteraction<T = void> extends Interaction<BaseModel> {
  static override confirms = true;
  /** Its operation: the action is shown only where it would change something. */
  static accountOperation: AccountOperation | undefined;
  /** The account type, where several have this model. */
  static account: string | undefined;
  /** Whether it is refused on the administrator's own account. */
  static sparesOneself = false;
  abstract readonly operation: operations.Operation<T>;
  #emitEvents: (() => Promise<void>) | undefined;

  async execute(): Promise<Outcome> {
    const { account, accountOperation, sparesOneself } = this.constructor as typeof AccountInteraction;
    const { request } = this.controller;
    const { types } = request.kernel.service("auth", "accountActions()");
    const type = typeOfRecord(types, this.record, account);
    const text = (key: string) => request.t(`authlib.administration.${key}`);
    if (sparesOneself && this.#isOneself(type)) return fail({}, text("oneself"));
    const administration = new AccountAdministration(type, {
      actor: this.#actor(types.all()),
      address: request.address,
    });
    try {
      const id = Number(this.record.$id());
      const { emitEvents } = await administration.run(id, this.operation, this.transaction);
      this.#emitEvents = emitEvents;
    } catch (error) {
      if (isRefusal(error)) return fail({}, text("stale"));
      throw error;
    }
    return succeed().withMessage(text(`${accountOperation}_done`));
  }
  override async afterCommit(): Promise<void> {
    await this.#emitEvents?.();
  }

  #isOneself({ model }: AccountType): boolean {
    const { currentUser } = this;
    return currentUser instanceof model.class && currentUser.$id() === this.record.$id();
  }
  /** "admin 3" */
  #actor(types: readonly AccountType[]): string | undefined {
    const user = this.currentUser as BaseModel | undefined;
    const type = types.find(({ model }) => user instanceof model.class);
    return type && `${type.name} ${String(user!.$id())}`;
  }
}

/** Ends every sign-in, remembered device, token and mailed link. */
export class EndSessions extends AccountInteraction<number> {
  static override accountOperation = "end_sessions" as const;
  readonly operation = operations.endSessions;
}
/** Removes authenticator app, passkeys and recovery codes. Afterwards the password alone signs in. */
export class RemoveFactors extends AccountInteraction<readonly RemovedFactors[]> {
  static override accountOperation = "remove_factors" as const;
  static override sparesOneself = true;
  readonly operation = removeFactors();
}
/** Mails the owner the link that sets a new password. */
export class MailPasswordReset extends AccountInteraction {
  static override accountOperation = "mail_password_reset" as const;
  readonly operation = operations.mailPasswordReset;
}
/** Unlocks passwords and codes after too many wrong ones. */
export class UnlockAccount extends AccountInteraction<boolean> {
  static override accountOperation = "unlock_account" as const;
  readonly operation = operations.unlock;
}
/** Closes the account as its owner would. */
export class CloseAccount extends AccountInteraction {
  static override accountOperation = "close_account" as const;
  static override sparesOneself = true;
  readonly operation = operations.close();
}
/** Reopens a closed account. */
export class ReopenAccount extends AccountInteraction {
  static override accountOperation = "reopen_account" as const;
  readonly operation = operations.reopen;
}

export interface AccountActionsOptions {
  /** The predicate of the policy that allows them; by default `canManageAccount()`. */
  policy?: string;
  /** The account type, where several have this model. */
  account?: string;
}

const actions = [
  [UnlockAccount, "lock-open", "secondary", 60],
  [MailPasswordReset, "mail", "secondary", 61],
  [EndSessions, "logout", "secondary", 62],
  [RemoveFactors, "shield-off", "danger", 63],
  [CloseAccount, "user-x", "danger", 64],
  [ReopenAccount, "user-check", "secondary", 65],
] as const;

/**
 * Adds the administrators' actions to the page of an account's record, where the policy's `canManageAccount()` allows
 * them: `configure() { super.configure(); accountActions(this); }` in the definition of the account's model.
 */
export function accountActions<M extends BaseModel>(
  definition: ResourceDefinition<M>,
  { policy = "manage_account", account }: AccountActionsOptions = {},
): void {
  for (const [Action, icon, category, position] of actions) {
    const interaction = account === undefined ? Action : forType(Action, account);
    const options = { interaction, icon, category, position, policy, collectionRecordAction: false };
    definition.action(Action.accountOperation, { ...options, confirmation: true });
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
