import { HttpError, networkOf, type Reply } from "framewright/host";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { Prompts } from "./prompts.ts";
import type { SignIn } from "./sessions.ts";

/** A second factor of an account, as the page `factors` lists it. */
export interface FactorSummary {
  /** The feature that stores it. */
  name: string;
  /** How many there are: passkeys, codes left; 0 or 1 for an authenticator app. */
  count: number;
  since?: Date;
  /** Its page, below `/<account_plural>/`. */
  page: string;
}

/** Second factors: which are pending, how they change, and rate-limited checks of codes. */
export class Factors extends Prompts {
  /** For pages that also accept a sign-in with a pending factor. Returns a redirect to the login for everybody else. */
  async requireSignIn(): Promise<Reply | undefined> {
    await this.load();
    if (!this.signIn) return this.requireAuthentication();
    if (this.signIn.pending === "password") return this.requirePendingStep("password");
    await this.owesFactor();
    return undefined;
  }
  /** What is pending after these factors: "second", "setup" of a factor, or undefined. */
  async pendingFor(_account: AccountRecord, _factors: readonly string[]): Promise<SignIn["pending"]> {
    return undefined;
  }
  /** What is pending after these factors: pendingFor(), then a required password change. */
  async pendingAfter(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
    const pending = await this.pendingFor(account, factors);
    return pending ?? ((await this.mustChangePassword(account, factors)) ? "password" : undefined);
  }
  /** Whether an account with these factors has to choose a new password. Implemented by changePassword(). */
  async mustChangePassword(_account: AccountRecord, _factors: readonly string[]): Promise<boolean> {
    return false;
  }
  /** The tables of required second factors, without the account's prefix. Features add theirs. */
  secondFactorTables(): string[] {
    return [];
  }
  /** Whether the account has a row in one of these tables, except `besides`. */
  async hasFactorStored(connection: Knex, { besides }: { besides?: string } = {}): Promise<boolean> {
    for (const name of this.secondFactorTables().filter((one) => one !== besides)) {
      const rows = connection(this.type.table(name)).where({ account_id: this.account!.id });
      if (await rows.first("id")) return true;
    }
    return false;
  }
  /** The second factors that the type offers, with count 0 where the account has none. Features add theirs. */
  async listFactors(): Promise<FactorSummary[]> {
    return [];
  }
  /** Removes all factors of the account in a transaction; returns the kind of each one removed. */
  async removeFactors(_transaction: Transaction): Promise<string[]> {
    return [];
  }
  /** Removes the factors of one feature; returns how many there were. */
  async removeFactorsOf(feature: string, transaction: Transaction): Promise<number> {
    let count = 0;
    for (const table of this.type.features.get(feature)?.factors ?? [])
      count += await transaction(this.type.table(table)).where({ account_id: this.account!.id }).delete();
    if (count > 0) await this.endWithFactor(feature, transaction);
    return count;
  }
  /** When the lock of the account's codes ends; undefined where they are accepted. */
  async factorsLockedUntil(): Promise<Date | undefined> {
    return undefined;
  }
  /** Unlocks the account's codes and resets their failures; returns whether they were locked. */
  async unlockFactors(_transaction: Transaction): Promise<boolean> {
    return false;
  }
  /** The locals of a page that offers a passkey instead of a password; empty without webauthn(). */
  async passkeyOffer(_account: AccountRecord): Promise<Record<string, unknown>> {
    return {};
  }
  /** A function that stores the submitted passkey; "wrong" where it is invalid, undefined where none was submitted. */
  async sentPasskey(
    _account: AccountRecord,
  ): Promise<((transaction: Transaction) => Promise<void>) | "wrong" | undefined> {
    return undefined;
  }
  /** A page that the person has to review before going on, as the list of passkeys; undefined where there is none. */
  async reviewPath(): Promise<string | undefined> {
    return undefined;
  }
  /** Whether the account has a second factor that its sign-ins require. */
  async hasSecondFactor(): Promise<boolean> {
    return (await this.pendingFor(this.account!, [])) === "second";
  }
  /** Whether this sign-in still has to show the second factor, for instance one set up elsewhere since. Marks it as pending. */
  async owesFactor(): Promise<boolean> {
    const { signIn, account } = this;
    if (!signIn || !account || signIn.pending === "second") return signIn?.pending === "second";
    if ((await this.pendingFor(account, signIn.factors)) !== "second") return false;
    if (this.request.isSpeculative) signIn.pending = "second";
    else await this.renewSession(signIn.factors, "second");
    return true;
  }
  /** Call it when the first second factor is stored: revokes the other credentials, and recovery codes created before it. */
  async endWithoutFactor(transaction: Transaction): Promise<void> {
    await this.killCredentials(this.account!, transaction, this.signIn);
    if (!this.type.has("recovery_codes")) return;
    await transaction(this.type.table("recovery_codes")).where({ account_id: this.account!.id }).delete();
  }
  /**
   * Call it when a second factor is removed: ends the other sign-ins that used it and, with the last factor, deletes the
   * recovery codes.
   */
  async endWithFactor(factor: string, transaction: Transaction): Promise<void> {
    const isLast = this.type.has("recovery_codes") && !(await this.hasFactorStored(transaction));
    if (isLast) await transaction(this.type.table("recovery_codes")).where({ account_id: this.account!.id }).delete();
    const others = () =>
      transaction(this.type.table("active_session_keys"))
        .where({ account_id: this.account!.id })
        .whereNot({ id: this.signIn?.id ?? 0 }); // no sign-in where an administrator removes it
    for (const ended of isLast ? [factor, "recovery_code"] : [factor])
      await others().where("factors", "like", `%${ended}%`).delete();
  }
  /**
   * Changes second factors in a transaction that locks the account's row: one change at a time. Undefined where another
   * change has ended this sign-in meanwhile.
   */
  async changeFactors<T>(work: (transaction: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.transaction(async (trx) => {
      const { id } = this.account!;
      await trx(this.type.model.table).where({ id }).select("id").forUpdate();
      const isActive = await trx(this.type.table("active_session_keys")).where({ id: this.signIn!.id }).first("id");
      return isActive ? work(trx) : undefined;
    });
  }
  /** The page that asks for a pending step. Features with a second factor override it. */
  pendingPage(pending: NonNullable<SignIn["pending"]>): string {
    return pending === "password" ? "change-password" : "login";
  }
  /** The reply that asks for a pending step: a redirect to its page, or for JSON a 401. */
  requirePendingStep(pending: NonNullable<SignIn["pending"]>): Reply {
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
  /** The header `WWW-Authenticate`. */
  get challenge(): string {
    return `Session realm="${this.type.plural}"`;
  }
  async requireAuthentication(): Promise<Reply> {
    return this.goTo(this.type.path("login"));
  }
  /** The second factors that the account has, for pages to offer. */
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
   * Counts an attempt, then checks the code; false when it was wrong. Attempts are counted by kind of code and by network,
   * so that somebody else who knows the password does not use up the owner's attempts. @throws HttpError 429
   */
  async guess(kind: "otp" | "recovery_code", check: () => Promise<boolean>): Promise<boolean> {
    const { mutex, limits } = this.type.services;
    const { address } = this.request;
    const key = `${kind} ${this.type.name} ${this.account!.id}`;
    const from = `${key} from ${networkOf(address)}`;
    const isRight = await mutex.run(key, () => limits.attempt("code", from, address, check));
    if (!isRight) await this.emitEvent("second_factor_failed");
    return isRight;
  }
}
