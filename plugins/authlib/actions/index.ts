import type { BaseModel } from "framewright/plugins/database";
import { fail, Interaction, type Outcome, type ResourceDefinition, succeed } from "framewright/plugins/resources";
import type { AccountType } from "../account_type.ts";
import { type AccountDeed, typeOfRecord } from "../administration/hidden_actions.ts";
import { AccountAdministration, isRefusal } from "../administration/index.ts";
import * as deeds from "../administration/operations.ts";
import { type RemovedFactors, removeFactors } from "../administration/remove_factors.ts";

/** What an administrator does to the account of a record's page: asked to confirm who they are, and never to themselves. */
export abstract class AccountInteraction<T = void> extends Interaction<BaseModel> {
  static override confirms = true;
  /** Which deed it is: shown where it changes something. */
  static accountDeed: AccountDeed | undefined;
  /** The account type, where several have the record's model. */
  static account: string | undefined;
  /** Whether nobody does it to the own account. */
  static sparesOneself = false;
  abstract readonly deed: deeds.Deed<T>;
  #tell: (() => Promise<void>) | undefined;

  async execute(): Promise<Outcome> {
    const { account, accountDeed, sparesOneself } = this.constructor as typeof AccountInteraction;
    const { request } = this.controller;
    const { types } = request.kernel.service("auth", "accountActions()");
    const type = typeOfRecord(types, this.record, account);
    const say = (key: string) => request.t(`authlib.administration.${key}`);
    if (sparesOneself && this.#isOneself(type)) return fail({}, say("oneself"));
    const administration = new AccountAdministration(type, {
      actor: this.#actor(types.all()),
      address: request.address,
    });
    try {
      const id = Number(this.record.$id());
      const { tell } = await administration.write(id, this.deed, this.transaction);
      this.#tell = tell;
    } catch (error) {
      if (isRefusal(error)) return fail({}, say("stale"));
      throw error;
    }
    return succeed().withMessage(say(`${accountDeed}_done`));
  }
  override async afterCommit(): Promise<void> {
    await this.#tell?.();
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
  static override accountDeed = "end_sessions" as const;
  readonly deed = deeds.endSessions;
}
/** Removes authenticator app, passkeys and recovery codes, for who lost them; the password alone signs in then. */
export class RemoveFactors extends AccountInteraction<readonly RemovedFactors[]> {
  static override accountDeed = "remove_factors" as const;
  static override sparesOneself = true;
  readonly deed = removeFactors();
}
/** Mails the owner the link that sets a new password. */
export class MailPasswordReset extends AccountInteraction {
  static override accountDeed = "mail_password_reset" as const;
  readonly deed = deeds.mailPasswordReset;
}
/** Takes passwords and codes again after too many wrong ones. */
export class UnlockAccount extends AccountInteraction<boolean> {
  static override accountDeed = "unlock_account" as const;
  readonly deed = deeds.unlock;
}
/** Closes the account as its owner would. */
export class CloseAccount extends AccountInteraction {
  static override accountDeed = "close_account" as const;
  static override sparesOneself = true;
  readonly deed = deeds.close();
}
/** Opens a closed account again. */
export class ReopenAccount extends AccountInteraction {
  static override accountDeed = "reopen_account" as const;
  readonly deed = deeds.reopen;
}

export interface AccountActionsOptions {
  /** The predicate of the policy that allows them: `canManageAccount()` unless told. */
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
 * Puts what administrators do to an account on its record's page, for whom the policy's `canManageAccount()` allows it:
 * `configure() { super.configure(); accountActions(this); }` in the definition of the account's model.
 */
export function accountActions<M extends BaseModel>(
  definition: ResourceDefinition<M>,
  { policy = "manage_account", account }: AccountActionsOptions = {},
): void {
  for (const [Action, icon, category, position] of actions) {
    const interaction = account === undefined ? Action : forType(Action, account);
    const options = { interaction, icon, category, position, policy, collectionRecordAction: false };
    definition.action(Action.accountDeed, { ...options, confirmation: true });
  }
}

type ActionClass = (typeof actions)[number][0];
/** A class of its own, so that one application may serve the same model as two account types. */
function forType(Action: ActionClass, account: string): ActionClass {
  const OfType = class extends (Action as typeof EndSessions) {
    static override account = account;
  };
  Object.defineProperty(OfType, "name", { value: Action.name });
  return OfType as unknown as ActionClass;
}
