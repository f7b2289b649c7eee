import type { Reply } from "framewright/host";
import type { AccountRecord, AuthlibBase, AuthlibClass } from "framewright/plugins/authlib";
import { withConnectedIdentities } from "./connected_identities.ts";
import { type Account, FACTOR, OidcContext, STRONG_FACTOR, type WithOidc } from "./context.ts";
import { withFrameLogout } from "./frame_logout.ts";
import type { OidcLoginSteps } from "./index.ts";
import { withNewIdentity } from "./new_identity.ts";
import { clearFound } from "./pending.ts";
import { withProviderRoutes } from "./provider_routes.ts";
import { withProviders } from "./provider_steps.ts";
import { withReview } from "./review.ts";

const OWN_FACTORS = new Set([FACTOR, STRONG_FACTOR]);
const MINUTE_MS = 60_000;
const CONFIRMED_MINUTES = 10;

/** The steps of the feature `oidc_login`. */
export const steps = (Base: AuthlibClass): AuthlibClass<AuthlibBase & OidcLoginSteps> =>
  withReview(
    withConnectedIdentities(withNewIdentity(withFrameLogout(withProviderRoutes(withProviders(withFactors(Base)))))),
  ) as unknown as AuthlibClass<AuthlibBase & OidcLoginSteps>;

/** How a sign-in at a provider counts among the others. */
function withFactors(Parent: AuthlibClass): AuthlibClass<Account & WithOidc> {
  return class WithFactors extends (Parent as AuthlibClass<Account>) {
    readonly oidc = new OidcContext(this);

    override get newAccountStatus(): string {
      return this.oidc.provenAddress === undefined ? super.newAccountStatus : "verified";
    }
    override async pendingFor(account: AccountRecord, factors: readonly string[]) {
      const pending = await super.pendingFor(account, factors);
      return factors.includes(STRONG_FACTOR) ? undefined : pending;
    }
    /** A sign-in at a provider within the last minutes confirms who it is, of an account that has no password. */
    override async isConfirmed(within = CONFIRMED_MINUTES): Promise<boolean> {
      if (await super.isConfirmed(within)) return true;
      const { factors, createdAt } = this.signIn!;
      const isFresh = Date.now() - createdAt.getTime() < within * MINUTE_MS;
      return isFresh && factors.some((one) => OWN_FACTORS.has(one)) && !(await this.hasPassword(this.account!));
    }
    override loginLinks() {
      const ways = this.oidc.offered.map(({ label, url }) => ({
        ...{ label: this.t("oidc.sign_in", { provider: label }), url },
        ...{ icon: "user-circle", isExternal: true },
      }));
      return [...ways, ...super.loginLinks()];
    }
    override async afterFirstFactor(account: AccountRecord, key: string): Promise<void> {
      if (this.oidc.arrived) await this.oidc.identities.bind(account.id, this.signIn!.id, this.oidc.arrived);
      await super.afterFirstFactor(account, key);
    }
    /** A person who signs out leaves no identity that waits to the next person at the computer. */
    override forgetSession(): void {
      super.forgetSession();
      if (this.oidc.found) clearFound(this.session);
    }
    override async loggedIn(): Promise<Reply> {
      const found = this.oidc.found;
      if (!found || this.wantsJson || !this.isVerified || (await this.oidc.identities.find(found)))
        return super.loggedIn();
      return this.goTo(this.type.path("oidc-identity")); // the requested page comes after it
    }
  } as unknown as AuthlibClass<Account & WithOidc>;
}
