import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { AuthlibClass } from "../../feature.ts";
import type { WebauthnSteps } from "./index.ts";
import { PasskeyStore } from "./passkey_store.ts";

type Steps = Pick<WebauthnSteps, "webauthnReviewPage" | "submitWebauthnReview">;

/**
 * Passkeys stay when the other credentials are revoked, as by a new password, and so would one that an attacker added.
 * At the next sign-in, the owner reviews them.
 */
export function withReview(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps> {
  return class WithReview extends Base {
    readonly #keys = new PasskeyStore(this);

    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      await this.#keys.review(account, transaction);
    }
    override async reviewPath(): Promise<string | undefined> {
      if (!this.#mayReview || this.type.class.apiOnly) return super.reviewPath();
      const isRequired = (await this.#keys.of(this.account!.id)).some(({ review_since }) => review_since !== null);
      return isRequired ? this.type.path("webauthn-review") : super.reviewPath();
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
    /** A sign-in by passkey alone may not review: the passkey could be the attacker's. */
    get #mayReview(): boolean {
      return this.signIn?.factors.some((factor) => factor === "password" || factor === "email") ?? false;
    }
  };
}
