import { HttpError, networkOf, type Reply } from "framewright/host";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { Asking } from "./prompts.ts";
import type { SignIn } from "./sessions.ts";

/** A second factor of an account, as the page of all of them lists it. */
export interface FactorSummary {
  /** The feature that it belongs to. */
  name: string;
  /** How many there are: passkeys, codes left; 0 or 1 of an authenticator app. */
  count: number;
  since?: Date;
  /** Its own page, below `/<account_plural>/`. */
  page: string;
}

/** Second factors: pages that one comes to half signed in, and guesses that are counted. */
export class Factors extends Asking {
  /** For pages of who is signed in, or has only this step left; an answer sends everybody else to the login. */
  async requireSignIn(): Promise<Reply | undefined> {
    await this.load();
    if (!this.signIn) return this.requireAuthentication();
    if (this.signIn.pending === "password") return this.askForMore("password");
    await this.owesFactor();
    return undefined;
  }
  /** What is asked for after these factors: a second one, that one is set up, or nothing more. */
  async pendingFor(_account: AccountRecord, _factors: readonly string[]): Promise<SignIn["pending"]> {
    return undefined;
  }
  /** All that is asked for after these factors: what pendingFor says, and then a new password where one is required. */
  async pendingAfter(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
    const pending = await this.pendingFor(account, factors);
    return pending ?? ((await this.mustChangePassword(account, factors)) ? "password" : undefined);
  }
  /** Whether who showed these factors has to choose a new password; the feature change_password knows. */
  async mustChangePassword(_account: AccountRecord, _factors: readonly string[]): Promise<boolean> {
    return false;
  }
  /** The tables of second factors that sign-ins are asked for, after the account's name; features with one add theirs. */
  secondFactorTables(): string[] {
    return [];
  }
  /** Whether the account has any of them, or any but those of one table. */
  async hasFactorStored(connection: Knex, { besides }: { besides?: string } = {}): Promise<boolean> {
    for (const name of this.secondFactorTables().filter((one) => one !== besides)) {
      const rows = connection(this.type.table(name)).where({ account_id: this.account!.id });
      if (await rows.first("id")) return true;
    }
    return false;
  }
  /** The second factors that the account could have, whether it has them or not; each feature adds its own. */
  async listFactors(): Promise<FactorSummary[]> {
    return [];
  }
  /** Removes all of the account's in a transaction, and returns the kind of each one that there was. */
  async removeFactors(_transaction: Transaction): Promise<string[]> {
    return [];
  }
  /** Removes those that one feature stores, and returns how many there were. */
  async removeFactorsOf(feature: string, transaction: Transaction): Promise<number> {
    let count = 0;
    for (const table of this.type.features.get(feature)?.factors ?? [])
      count += await transaction(this.type.table(table)).where({ account_id: this.account!.id }).delete();
    if (count > 0) await this.endWithFactor(feature, transaction);
    return count;
  }
  /** Until when codes of the account wait; undefined where they are taken. */
  async factorsLockedUntil(): Promise<Date | undefined> {
    return undefined;
  }
  /** Ends the wait of codes, and forgets the wrong ones; whether they waited. */
  async unlockFactors(_transaction: Transaction): Promise<boolean> {
    return false;
  }
  /** What a page needs that lets this account choose a passkey instead of a password; nothing where there are no passkeys. */
  async passkeyOffer(_account: AccountRecord): Promise<Record<string, unknown>> {
    return {};
  }
  /** The passkey that was sent from there: what stores it. "wrong" where it is not good, undefined where none was sent. */
  async sentPasskey(
    _account: AccountRecord,
  ): Promise<((transaction: Transaction) => Promise<void>) | "wrong" | undefined> {
    return undefined;
  }
  /** The page that has to be seen first where something is to be looked over, passkeys for instance. */
  async reviewPath(): Promise<string | undefined> {
    return undefined;
  }
  /** Whether the account has a second factor that its sign-ins are asked for. */
  async hasSecondFactor(): Promise<boolean> {
    return (await this.pendingFor(this.account!, [])) === "second";
  }
  /** Whether this sign-in never showed the account's second factor, as when that was set up elsewhere since: then it has to. */
  async owesFactor(): Promise<boolean> {
    const { signIn, account } = this;
    if (!signIn || !account || signIn.pending === "second") return signIn?.pending === "second";
    if ((await this.pendingFor(account, signIn.factors)) !== "second") return false;
    if (this.request.isSpeculative) signIn.pending = "second";
    else await this.renewSession(signIn.factors, "second");
    return true;
  }
  /** The first second factor is stored in this transaction: what was let in without one ends, and codes from before it. */
  async endWithoutFactor(transaction: Transaction): Promise<void> {
    await this.killCredentials(this.account!, transaction, this.signIn);
    if (!this.type.has("recovery_codes")) return;
    await transaction(this.type.table("recovery_codes")).where({ account_id: this.account!.id }).delete();
  }
  /**
   * A second factor was removed in this transaction: the other sign-ins that showed it end, and with the last factor go
   * the recovery codes.
   */
  async endWithFactor(factor: string, transaction: Transaction): Promise<void> {
    const isLast = this.type.has("recovery_codes") && !(await this.hasFactorStored(transaction));
    if (isLast) await transaction(this.type.table("recovery_codes")).where({ account_id: this.account!.id }).delete();
    const others = () =>
      transaction(this.type.table("active_session_keys"))
        .where({ account_id: this.account!.id })
        .whereNot({ id: this.signIn?.id ?? 0 }); // none where an administrator removes it
    for (const ended of isLast ? [factor, "recovery_code"] : [factor])
      await others().where("factors", "like", `%${ended}%`).delete();
  }
  /**
   * Changes second factors in a transaction that has the account's row: one change at a time, and none by a sign-in that
   * another change ended meanwhile. Undefined where it did.
   */
  async changeFactors<T>(work: (transaction: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.transaction(async (trx) => {
      const { id } = this.account!;
      await trx(this.type.model.table).where({ id }).select("id").forUpdate();
      const isAlive = await trx(this.type.table("active_session_keys")).where({ id: this.signIn!.id }).first("id");
      return isAlive ? work(trx) : undefined;
    });
  }
  /** The page that asks for what is pending; features with a second factor say it. */
  pendingPage(pending: NonNullable<SignIn["pending"]>): string {
    return pending === "password" ? "change-password" : "login";
  }
  askForMore(pending: NonNullable<SignIn["pending"]>): Reply {
    if (!this.wantsJson) return this.goTo(this.type.path(this.pendingPage(pending)));
    return this.problem(
      new HttpError(
        401,
        pending === "password" ? "FW_PASSWORD_CHANGE" : "FW_SECOND_FACTOR",
        this.t(`pending_${pending}`),
        {
          headers: { "www-authenticate": this.challenge },
        },
      ),
    );
  }
  /** What `WWW-Authenticate` says. */
  get challenge(): string {
    return `Session realm="${this.type.plural}"`;
  }
  async requireAuthentication(): Promise<Reply> {
    return this.goTo(this.type.path("login"));
  }
  /** What this account could show as a second factor, for pages to offer. */
  async secondFactors(): Promise<{ otp: boolean; recovery: boolean; webauthn: boolean }> {
    return {
      otp: await this.#owns("otp", "otp_keys"),
      recovery: await this.#owns("recovery_codes", "recovery_codes"),
      webauthn: await this.#owns("webauthn", "webauthn_keys"),
    };
  }
  async #owns(feature: string, table: string): Promise<boolean> {
    if (!this.type.has(feature)) return false;
    const query = this.knex(this.type.table(table)).where({ account_id: this.account!.id }).select("id").limit(1);
    return (await this.type.services.database.rows(query)).length > 0;
  }
  /**
   * Counts a guess of a code, then tries it; false when it was wrong. Each kind of code is counted apart, and so is each
   * network: whoever else knows the password does not use up the owner's tries. @throws HttpError 429
   */
  async guess(kind: "otp" | "recovery_code", tryIt: () => Promise<boolean>): Promise<boolean> {
    const { serial, limits } = this.type.services;
    const { address } = this.request;
    const key = `${kind} ${this.type.name} ${this.account!.id}`;
    const from = `${key} from ${networkOf(address)}`;
    const isRight = await serial.run(key, () => limits.judge("code", from, address, tryIt));
    if (!isRight) await this.tell("second_factor_failed");
    return isRight;
  }
}
