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
  /** Whether this account can say a password at all. */
  async confirmIfAsked(view: string, locals: Record<string, unknown>): Promise<Reply | undefined> {
    if (!this.asksPassword || !(await this.hasPassword(this.account!))) return undefined;
    return this.confirmPassword(view, locals);
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
