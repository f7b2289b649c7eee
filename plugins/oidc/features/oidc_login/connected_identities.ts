import type { Reply } from "framewright/host";
import type { AccountLine, AuthlibClass } from "framewright/plugins/authlib";
import type { OidcBase, OidcClass } from "./context.ts";
import type { OidcLoginSteps } from "./index.ts";

type Steps = Pick<OidcLoginSteps, "oidcIdentitiesPage" | "submitOidcIdentities">;

/** The identities of the signed-in account: a list, with buttons to remove them and to connect others. */
export function withConnectedIdentities(Base: OidcClass): AuthlibClass<OidcBase & Steps> {
  return class WithConnectedIdentities extends Base {
    override async accountLines(): Promise<AccountLine[]> {
      const own = await this.oidc.identities.of(this.account!.id);
      const names = [...new Set(own.map(({ provider }) => provider))];
      const labels = (await Promise.all(names.map((name) => this.oidcLabel(name)))).join(", ");
      const line: AccountLine = {
        section: "sign_in",
        name: "oidc",
        label: this.t("oidc_identities.title"),
        text: labels === "" ? this.t("oidc_identities.none") : labels,
        page: "oidc-identities",
        ...(labels === "" ? { action: this.t("oidc_identities.connect") } : {}),
      };
      return [...(await super.accountLines()), line];
    }

    async oidcIdentitiesPage(): Promise<Reply> {
      return this.page("oidc_identities", await this.#listLocals());
    }
    async submitOidcIdentities(): Promise<Reply> {
      const account = this.account!;
      const own = await this.oidc.identities.of(account.id);
      const row = own.find(({ id }) => String(id) === this.param("remove"));
      if (!row) return this.goTo(this.type.path("oidc-identities"));
      const locals = await this.#listLocals();
      const problem = await this.oidcRemovalProblem(row);
      if (problem !== undefined) return this.refuse("oidc_identities", { message: problem, locals });
      const keepsOne = !(await this.#hasOtherWay());
      const only = () => this.refuse("oidc_identities", { message: this.t("oidc_identities.only"), locals });
      if (keepsOne && own.length === 1) return only();
      const refused = await this.confirmIdentity("oidc_identities", locals);
      if (refused) return refused;
      const isRemoved = await this.changeFactors((trx) =>
        this.oidc.identities.remove(account.id, row.id, keepsOne, trx),
      );
      if (isRemoved === "only") return only(); // the others were removed meanwhile
      if (isRemoved) await this.emitEvent("identity_removed", { provider: row.provider });
      if (isRemoved && row.review_since !== null && !this.wantsJson) {
        this.request.flash.add("success", this.t("oidc_identities.removed"));
        return this.loggedIn(); // which continues the review
      }
      return this.done(this.t("oidc_identities.removed"), this.type.path("oidc-identities"));
    }

    async #listLocals() {
      const own = await this.oidc.identities.of(this.account!.id);
      const connected = new Set(own.map(({ provider }) => provider));
      return {
        identities: await Promise.all(own.map(async (row) => ({ ...row, label: await this.oidcLabel(row.provider) }))),
        others: this.oidc.offered.filter(({ name }) => !connected.has(name)),
        csrf: this.csrf("oidc-identities"),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
      };
    }
    /** Whether the account can be signed in to without a provider. */
    async #hasOtherWay(): Promise<boolean> {
      if (this.type.has("reset_password") || this.type.has("email_auth")) return true;
      if (await this.hasPassword(this.account!)) return true;
      return (await this.listFactors()).some(({ name, count }) => name === "webauthn" && count > 0);
    }
  };
}
