import type { Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const DAY = 86_400_000;
const table = "verification_keys";
const signedUp = "signed_up";

export interface VerifyAccountOptions {
  /** Days for which the mailed link is good. */
  days?: number;
}
/** What the feature `verify_account` adds. */
export interface VerifyAccountSteps {
  verifyAccountPage(): Promise<Reply>;
  submitVerifyAccount(): Promise<Reply>;
  mailVerification(login: string): Promise<void>;
  /** An account was verified. */
  afterVerifyAccount(account: AccountRecord): Promise<void>;
}

/**
 * The address is shown to be one's own by a mailed link, which then signs in. In another browser than the one that
 * signed up, or after somebody else signed up with it too, the password is chosen there: whoever typed the last one need
 * not be whose address it is.
 */
export function verifyAccount(options: VerifyAccountOptions = {}) {
  checkOptions("verifyAccount", options, { days: option.number });
  return defineFeature<VerifyAccountSteps>({
    name: "verify_account",
    directory: import.meta.dirname,
    options,
    requires: ["create_account"],
    tables: [table],
    credentials: [table],
    routes: [...form("verify-account", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithVerifyAccount extends Base {
    async verifyAccountPage(): Promise<Reply> {
      if (this.keyParam() === "") return this.page("verify_account_resend", { csrf: this.csrf("verify-account") });
      const found = await this.findKey(table, this.keyParam());
      if (!found) return this.deadLink("verify-account");
      return this.page("verify_account", await this.#locals(found.account));
    }
    async submitVerifyAccount(): Promise<Reply> {
      if (this.keyParam() === "") return this.#resend();
      const found = await this.findKey(table, this.keyParam());
      if (!found || !this.isUnverified(found.account)) return this.deadLink("verify-account");
      const { row, account } = found;
      const passkey = await this.sentPasskey(account);
      const locals = await this.#locals(account);
      if (passkey === "wrong")
        return this.refuse("verify_account", { message: this.t("webauthn_setup.wrong"), locals });
      const asksPassword = locals.asksPassword && passkey === undefined;
      const password = asksPassword ? await this.chosenPassword(account) : undefined;
      if (typeof password === "object") return this.refuse("verify_account", { fields: password, locals });
      const hash = password === undefined ? undefined : await this.hashPassword(password);
      const isMine = await this.transaction(async (trx) => {
        if (!(await this.spendKey(table, row, trx))) return false;
        await this.updateAccount(account, { account_status: "verified" }, trx);
        if (hash !== undefined) await this.storeHash(account, hash, trx);
        await passkey?.(trx);
        return true;
      });
      if (!isMine) return this.deadLink("verify-account");
      this.#forgetSignUp();
      await this.tell("verified", {}, account);
      if (passkey) await this.tell("second_factor_added", { kind: "webauthn" }, account);
      await this.afterVerifyAccount(account);
      this.request.flash.add("success", this.t("verify_account.done"));
      return this.login(account, passkey === undefined ? "email" : "webauthn");
    }
    async afterVerifyAccount(_account: AccountRecord): Promise<void> {}

    /** A new account waits for its address to be verified. */
    override get newAccountStatus(): string {
      return "unverified";
    }
    /** Remembers which password was typed here, whether the address was free or not. */
    override async afterSignUp(hash: string): Promise<void> {
      await super.afterSignUp(hash);
      if (this.wantsJson && !this.request.carriesSession) return; // it has no session, and is given none
      this.session.setExpendable(signedUp, {
        ...this.#signUps,
        [this.type.name]: this.type.services.digests.digest(hash),
      });
    }
    override async afterCreateAccount(account: AccountRecord, transaction: Transaction): Promise<void> {
      await super.afterCreateAccount(account, transaction);
      await this.#mailKey(account, transaction);
    }
    /** For who asks for the link again, by typing the login. */
    async mailVerification(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      if (account && this.isUnverified(account)) await this.transaction((trx) => this.#mailKey(account, trx));
      else await this.mailNobody(login, "verify_account", { page: "verify-account", isTold: false });
    }

    get #signUps(): Record<string, string> {
      return (this.session.get(signedUp) ?? {}) as Record<string, string>;
    }
    #forgetSignUp(): void {
      const { [this.type.name]: _own, ...others } = this.#signUps;
      if (Object.keys(others).length === 0) this.session.delete(signedUp);
      else this.session.setExpendable(signedUp, others);
    }
    async #mailKey(account: AccountRecord, transaction: Transaction): Promise<void> {
      const { days = 3 } = this.optionsOf<VerifyAccountOptions>("verify_account");
      const key = await this.issueKey(table, account, { lifetime: days * DAY, transaction });
      const url = this.mailUrl("verify-account", { key });
      await this.mail(this.loginOf(account), "verify_account", { url }, { account, transaction });
    }
    async #resend(): Promise<Reply> {
      const fields = this.blanks("login");
      if (fields)
        return this.refuse("verify_account_resend", { fields, locals: { csrf: this.csrf("verify-account") } });
      await this.mailLater("mailVerification", this.param("login")!);
      return this.lookIntoYourMail("verify-account");
    }
    async #locals(account: AccountRecord) {
      const hash = await this.passwordHashOf(account);
      const mine = this.#signUps[this.type.name];
      const asksPassword = hash === undefined || !this.type.services.digests.all(hash).includes(mine ?? "");
      const offer = await this.passkeyOffer(account);
      const csrf = this.csrf("verify-account");
      return { key: this.keyParam(), asksPassword, login: this.loginOf(account), csrf, ...offer };
    }
  };
}
