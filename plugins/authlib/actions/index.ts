import type { BaseModel } from "framewright/plugins/database";
import {
  fail,
  Interaction,
  type InteractionAttributes,
  type Outcome,
  type ResourceDefinition,
  succeed,
} from "framewright/plugins/resources";
import type { AccountRecord, AccountType, AccountTypes, Referrer } from "../account_type.ts";
import { type AccountOperation, typeOfRecord } from "../administration/hidden_actions.ts";
import { AccountAdministration, isRefusal } from "../administration/index.ts";
import * as operations from "../administration/operations.ts";
import { type RemovedFactors, removeFactors } from "../administration/remove_factors.ts";
import type { AuthlibBase } from "../base.ts";

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
    const { accountOperation, sparesOneself } = this.constructor as typeof AccountInteraction;
    const { request } = this.controller;
    const type = this.accountType;
    const text = (key: string) => request.t(`authlib.administration.${key}`);
    if (sparesOneself && this.#isOneself(type)) return fail({}, text("oneself"));
    const administration = new AccountAdministration(type, {
      actor: this.#actor(this.#types.all()),
      address: request.address,
    });
    try {
      const id = Number(this.record.$id());
      const { emitEvents } = await administration.run(id, this.operation, this.transaction);
      this.#emitEvents = emitEvents;
    } catch (error) {
      const { code } = error as { code?: string };
      if (isRefusal(error)) return fail({}, text("stale"));
      if (code === "FW_ACCOUNT_INVITATION") return fail({}, text("invitation_refused"));
      if (code === "FW_ACCOUNT_LOGIN_TAKEN") return fail({ new_login: [this.library.t("login_taken")] });
      throw error;
    }
    return succeed().withMessage(text(`${accountOperation}_done`));
  }
  override async afterCommit(): Promise<void> {
    await this.#emitEvents?.();
  }
  /** The account type of the record. */
  protected get accountType(): AccountType {
    return typeOfRecord(this.#types, this.record, (this.constructor as typeof AccountInteraction).account);
  }
  /** The steps of the account type, with the texts and the address of the administrator's request. It has no account. */
  protected get library(): AuthlibBase {
    const type = this.accountType;
    return new type.class(this.controller.request, type);
  }
  get #types(): AccountTypes {
    return this.controller.request.kernel.service("auth", "accountActions()").types;
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

/** Ends one session, by its id: of the panel "Sessions" of the account's page. */
export class EndSession extends AccountInteraction {
  static override attributes: InteractionAttributes = { session: { as: "hidden", required: true } };
  static override accountOperation = "end_session" as const;
  get operation(): operations.Operation {
    return operations.endSession(sessionId(this.values.session));
  }
}
/** 0, which no session has, for what is no id. */
const sessionId = (typed: unknown): number => (/^[1-9]\d{0,15}$/.test(String(typed)) ? Number(typed) : 0);

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
/** Mails an invited person a new link; the earlier one ends. Whoever sends it becomes the inviter, with an account of this type. */
export class ResendAccountInvitation extends AccountInteraction {
  static override accountOperation = "resend_invitation" as const;
  get operation(): operations.Operation {
    const { model } = this.accountType;
    const user = this.currentUser as BaseModel | undefined;
    return operations.resendInvitation(user instanceof model.class ? Number(user.$id()) : undefined);
  }
  override async execute(): Promise<Outcome> {
    const login = this.library.loginOf(this.record as AccountRecord);
    await this.library.takeMail("invite", this.library.normalizeLogin(login), this.transaction);
    return super.execute();
  }
}
/** Opens an unverified account without the mailed link. The sign-up's password, which anyone may have chosen, is deleted. */
export class VerifyAccount extends AccountInteraction {
  static override accountOperation = "verify_account" as const;
  readonly operation = operations.verify();
}
/** Gives the account another address, and ends every sign-in. The former address is notified. */
export class ChangeAccountLogin extends AccountInteraction {
  static override attributes: InteractionAttributes = {
    new_login: { as: "email", required: true, length: { maximum: 254 } },
  };
  static override accountOperation = "change_login" as const;
  static override sparesOneself = true;
  #login = "";
  #referrers: readonly Referrer[] = [];
  get operation(): operations.Operation {
    return operations.changeLogin(this.#login, this.#referrers);
  }
  override async execute(): Promise<Outcome> {
    const { library } = this;
    this.#login = library.normalizeLogin(String(this.values.new_login));
    const isSame = this.#login === library.normalizeLogin(library.loginOf(this.record as AccountRecord));
    const problem = isSame ? library.t("login_same") : library.loginProblem(this.#login);
    if (problem !== undefined) return fail({ new_login: [problem] });
    this.#referrers = await this.accountType.referrers(); // loaded before: see hideActions
    return super.execute();
  }
}
/** Refuses passwords for a while. Sign-ins stay: to keep somebody out, close the account. */
export class LockAccount extends AccountInteraction {
  static override accountOperation = "lock_account" as const;
  static override sparesOneself = true;
  readonly operation = operations.lock();
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
 * them, and the panels of its sessions and sign-ins, where its `canShowSignIns()` does: `configure() { super.configure(); accountActions(this); }` in the definition of the account's model.
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
