import type { Reply } from "framewright/host";
import type { AuthlibClass, SignIn } from "framewright/plugins/authlib";
import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { OidcBase, OidcClass } from "./context.ts";
import type { OidcLoginSteps } from "./index.ts";

type Steps = Pick<OidcLoginSteps, "oidcReviewPage" | "submitOidcReview">;

/**
 * Connected identities stay when the other credentials are revoked, as by a new password, and so would one that an attacker
 * connected. At the next sign-in, the owner reviews them, as passkeys.
 */
export function withReview(Base: OidcClass): AuthlibClass<OidcBase & Steps> {
  return class WithReview extends Base {
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      await this.oidc.identities.review(account.id, transaction);
    }
    override async reviewPath(): Promise<string | undefined> {
      const others = await super.reviewPath();
      if (others !== undefined || !this.#mayReview || this.type.class.apiOnly) return others;
      const own = await this.oidc.identities.of(this.account!.id);
      return own.some(({ review_since }) => review_since !== null) ? this.type.path("oidc-review") : undefined;
    }
    override async loggedIn(): Promise<Reply> {
      const path = this.wantsJson ? undefined : await this.reviewPath();
      return path === this.type.path("oidc-review") ? this.goTo(path) : super.loggedIn();
    }

    async oidcReviewPage(): Promise<Reply> {
      if (!(await this.#isDue())) return this.goTo(this.type.path("oidc-identities"));
      const own = await this.oidc.identities.of(this.account!.id);
      const identities = await Promise.all(
        own.map(async (row) => ({
          email: row.email,
          created_at: decodeDate(row.created_at),
          last_use: decodeDate(row.last_use),
          label: await this.oidcLabel(row.provider),
        })),
      );
      return this.page("oidc_review", { identities, csrf: this.csrf("oidc-review") });
    }
    async submitOidcReview(): Promise<Reply> {
      if (!(await this.#isDue())) return this.goTo(this.type.path("oidc-identities"));
      await this.oidc.identities.reviewed(this.account!.id);
      if (this.wantsJson) return this.controller.json({ success: this.t("oidc_review.kept") });
      this.request.flash.add("success", this.t("oidc_review.kept"));
      return this.loggedIn();
    }
    async #isDue(): Promise<boolean> {
      return (
        this.#mayReview && (await this.oidc.identities.of(this.account!.id)).some((one) => one.review_since !== null)
      );
    }
    /** A sign-in by a provider may not review: the identity could be the attacker's. */
    get #mayReview(): boolean {
      return this.signIn?.factors.some((factor) => factor === "password" || factor === "email") ?? false;
    }
  };
}
