import type { Reply } from "framewright";
import { Asking } from "./asking.ts";

const RECENT = 10 * 60_000;

/** Second factors: pages that one comes to half signed in, and guesses that are counted. */
export class Factors extends Asking {
  /** For pages of who is signed in, or has only this step left; an answer sends everybody else to the login. */
  async requireSignIn(): Promise<Reply | undefined> {
    await this.load();
    return this.signIn ? undefined : this.requireAuthentication();
  }
  async requireAuthentication(): Promise<Reply> {
    return this.goTo(this.type.path("login"));
  }
  /** Whether changing a second factor asks for the password: not right after signing in by it. */
  get asksPassword(): boolean {
    const signIn = this.signIn!;
    return !signIn.factors.includes("password") || Date.now() - signIn.createdAt.getTime() > RECENT;
  }
  /** Whether the page shows a field for it: an account without a password is not asked for one. */
  async asksForPassword(): Promise<boolean> {
    return this.asksPassword && (await this.hasPassword(this.account!));
  }
  async confirmIfAsked(view: string, locals: Record<string, unknown>): Promise<Reply | undefined> {
    return (await this.asksForPassword()) ? this.confirmPassword(view, locals) : undefined;
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
  /** Counts a guess of a code, then tries it; false when it was wrong. @throws HttpError 429 */
  async guess(tryIt: () => Promise<boolean>): Promise<boolean> {
    const { serial, limits } = this.type.services;
    const key = `code ${this.type.name} ${this.account!.id}`;
    return serial.run(key, async () => {
      await limits.take("code", key, this.request.address);
      const isRight = await tryIt();
      if (isRight) await limits.giveBack("code", key, this.request.address);
      else await this.tell("second_factor_failed");
      return isRight;
    });
  }
}
