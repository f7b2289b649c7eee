import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { AuthlibClass } from "../../feature.ts";
import type { WebauthnSteps } from "./index.ts";
import { Keys } from "./keys.ts";

type Steps = Pick<WebauthnSteps, "webauthnReviewPage" | "submitWebauthnReview">;

/**
 * Passkeys stay when every other way in is ended, as by a new password. One that somebody else added would stay as well:
 * at the next sign-in their owner says which ones to keep.
 */
export function withReview(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps> {
  return class WithReview extends Base {
    readonly #keys = new Keys(this);

    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      await this.#keys.review(account, transaction);
    }
    override async reviewPath(): Promise<string | undefined> {
      if (!this.#mayReview || this.type.class.apiOnly) return super.reviewPath();
      const isAsked = (await this.#keys.of(this.account!.id)).some(({ review_since }) => review_since !== null);
      return isAsked ? this.type.path("webauthn-review") : super.reviewPath();
    }
    override async loggedIn(): Promise<Reply> {
      const path = this.wantsJson ? undefined : await this.reviewPath();
      return path === undefined ? super.loggedIn() : this.goTo(path);
    }

    async webauthnReviewPage(): Promise<Reply> {
      if ((await this.reviewPath()) === undefined) return this.goTo(this.type.path("webauthn-setup"));
      return this.page("webauthn_review", { keys: await this.#keys.listed(), csrf: this.csrf("webauthn-review") });
    }
    async submitWebauthnReview(): Promise<Reply> {
      if ((await this.reviewPath()) === undefined) return this.goTo(this.type.path("webauthn-setup"));
      await this.#keys.keep();
      if (this.wantsJson) return this.controller.json({ success: this.t("webauthn_review.kept") });
      this.request.flash.add("success", this.t("webauthn_review.kept"));
      return this.loggedIn();
    }
    /** Whoever has nothing but a passkey does not say that it is to be kept. */
    get #mayReview(): boolean {
      return this.signIn?.factors.some((factor) => factor === "password" || factor === "email") ?? false;
    }
  };
}
