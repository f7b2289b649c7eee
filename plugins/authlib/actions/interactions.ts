import type { BaseModel } from "framewright/plugins/database";
import { fail, type InteractionAttributes, type Outcome } from "framewright/plugins/resources";
import type { AccountRecord, Referrer } from "../account_type.ts";
import * as operations from "../administration/operations.ts";
import { type RemovedFactors, removeFactors } from "../administration/remove_factors.ts";
import { AccountInteraction } from "./account_interaction.ts";

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
