import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import type { KeyMail } from "../../core/mails.ts";
import type { AuthlibClass } from "../../feature.ts";
import { graceEnd, verificationLine } from "./grace.ts";
import type { VerifyAccountOptions, VerifyAccountSteps } from "./index.ts";
import { sweepUnverified } from "./sweep.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const table = "verification_keys";
const SESSION_KEY = "signed_up";
const mailed = { name: "verify_account", page: "verify-account", emitsEvent: false };
type Found = { row: Record<string, unknown>; account: AccountRecord };

/** The steps of the feature `verify_account`. */
export function steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & VerifyAccountSteps> {
  return class WithVerifyAccount extends Base {
    async verifyAccountPage(): Promise<Reply> {
      if (this.keyParam() === "") return this.page("verify_account_resend", await this.#resendLocals());
      const found = await this.findKey(table, this.keyParam());
      if (!found) return this.expiredLink("verify-account");
      return this.page("verify_account", await this.#locals(found));
    }
    async submitVerifyAccount(): Promise<Reply> {
      if (this.keyParam() === "") return this.#resend();
      const found = await this.findKey(table, this.keyParam());
      if (!found || !this.isUnverified(found.account)) return this.expiredLink("verify-account");
      const { row, account } = found;
      const passkey = await this.sentPasskey(account);
      const locals = await this.#locals(found);
      if (passkey === "wrong")
        return this.refuse("verify_account", { message: this.t("webauthn_setup.wrong"), locals });
      const typed = await this.#typedHere(found);
      const asksPassword = typed === undefined && passkey === undefined;
      const password = asksPassword ? await this.chosenPassword(account) : undefined;
      if (typeof password === "object") return this.refuse("verify_account", { fields: password, locals });
      const hash = password === undefined ? typed : await this.hashPassword(password);
      const isMine = await this.transaction(async (trx) => {
        if (!(await this.spendKey(table, row, trx))) return false;
        await this.updateAccount(account, { account_status: "verified" }, trx);
        if (hash !== undefined) await this.storeHash(account, hash, trx);
        await this.killCredentials(account, trx); // the person who signed up may not own the address
        await passkey?.(trx);
        return true;
      });
      if (!isMine) return this.expiredLink("verify-account");
      this.#forgetSignUp();
      await this.emitEvent("verified", {}, account);
      if (passkey) await this.emitEvent("second_factor_added", { kind: "webauthn" }, account);
      await this.afterVerifyAccount(account);
      this.request.flash.add("success", this.t("verify_account.done"));
      return this.login(account, passkey === undefined ? "email" : "webauthn");
    }
    async afterVerifyAccount(_account: AccountRecord): Promise<void> {}

    /** A new account is unverified. */
    override get newAccountStatus(): string {
      return "unverified";
    }
    override get signsInAtOnce(): boolean {
      return this.#graceMs > 0 || super.signsInAtOnce;
    }
    /** Called at every request, so it only uses the account's row. */
    override isOpen(account: AccountRecord): boolean {
      return super.isOpen(account) || this.isInGrace(account);
    }
    isInGrace(account: AccountRecord): boolean {
      if (this.#graceMs === 0 || !this.isUnverified(account)) return false;
      return Date.now() < (graceEnd(account, this.#graceMs)?.getTime() ?? 0);
    }
    override async accountLines(): Promise<AccountLine[]> {
      const lines = await super.accountLines();
      if (this.isVerified) return lines;
      return [...lines, verificationLine(this, this.#graceMs)];
    }
    /** Remembers in the session which password was typed, whether the address was free or not. */
    override async afterSignUp(hash: string): Promise<void> {
      await super.afterSignUp(hash);
      await this.enqueueStep("sweepUnverified", "");
      if (this.wantsJson && !this.request.carriesSession) return; // must not start a session
      this.session.setExpendable(SESSION_KEY, {
        ...this.#signUps,
        [this.type.name]: this.type.services.digests.digest(hash),
      });
    }
    override async afterCreateAccount(account: AccountRecord, transaction: Transaction): Promise<void> {
      await super.afterCreateAccount(account, transaction);
      if (!this.isUnverified(account)) return; // the sign-up proved the address
      if (await this.#mailLink(account, { extra: { password_hash: this.signUpHash ?? null }, transaction })) return;
      await this.mailNobody(this.loginOf(account), mailed.name, { ...mailed, transaction });
    }
    /** Mails the link again, for a typed login. */
    override async mailVerification(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      const isUnverified = account !== undefined && this.isUnverified(account);
      if (isUnverified && (await this.#mailLink(account))) return;
      await this.mailNobody(login, mailed.name, mailed);
    }
    async sweepUnverified(): Promise<void> {
      const { keepDays = 30 } = this.#options;
      if (keepDays > 0) await sweepUnverified(this, new Date(Date.now() - keepDays * DAY_MS));
    }

    get #signUps(): Record<string, string> {
      return (this.session.get(SESSION_KEY) ?? {}) as Record<string, string>;
    }
    #forgetSignUp(): void {
      const { [this.type.name]: _own, ...others } = this.#signUps;
      if (Object.keys(others).length === 0) this.session.delete(SESSION_KEY);
      else this.session.setExpendable(SESSION_KEY, others);
    }
    get #graceMs(): number {
      return (this.#options.graceHours ?? 0) * HOUR_MS;
    }
    get #options(): VerifyAccountOptions {
      return this.optionsOf<VerifyAccountOptions>("verify_account");
    }
    #mailLink(account: AccountRecord, options: { extra?: object; transaction?: Transaction } = {}): Promise<boolean> {
      const lifetime = (this.#options.days ?? 3) * DAY_MS;
      return this.mailKey(account, { ...mailed, ...options, table, lifetime } as KeyMail);
    }
    /** Prefills the address of the signed-in account. */
    async #resendLocals() {
      const account = await this.load();
      return { csrf: this.csrf("verify-account"), ...(account ? { typed_login: this.loginOf(account) } : {}) };
    }
    async #resend(): Promise<Reply> {
      const fields = this.blanks("login");
      if (fields)
        return this.refuse("verify_account_resend", { fields, locals: { csrf: this.csrf("verify-account") } });
      await this.mailLater("mailVerification", this.param("login")!);
      return this.checkYourMail("verify-account");
    }
    /** The hash of the password that this browser typed at the link's sign-up; at any sign-up, for a link that was requested again. */
    async #typedHere({ row, account }: Found): Promise<string | undefined> {
      const { database, digests } = this.type.services;
      const mine = this.#signUps[this.type.name];
      if (mine === undefined) return undefined;
      const query = this.knex(this.type.table(table)).where({ account_id: account.id }).whereNotNull("password_hash");
      const own = typeof row.password_hash === "string" ? [row.password_hash] : undefined;
      const all = async () => [
        ...(await database.rows(query)).map(({ password_hash }) => String(password_hash)),
        (await this.passwordHashOf(account)) ?? "",
      ];
      return (own ?? (await all())).find((hash) => digests.all(hash).includes(mine));
    }
    async #locals(found: Found) {
      const asksPassword = (await this.#typedHere(found)) === undefined;
      const offer = await this.passkeyOffer(found.account);
      const csrf = this.csrf("verify-account");
      return { key: this.keyParam(), asksPassword, login: this.loginOf(found.account), csrf, ...offer };
    }
  };
}
