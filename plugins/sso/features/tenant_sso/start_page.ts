import { networkOf, type Reply, tooManyRequests } from "framewright/host";
import { type AuthlibClass, type LoginSteps, storeTypedLogin } from "framewright/plugins/authlib";
import { domainOfAddress } from "../../domains/domain_name.ts";
import { providerName } from "../../store/connections.ts";
import type { SsoClass } from "./context.ts";
import type { TenantSsoSteps } from "./index.ts";

type Steps = Pick<TenantSsoSteps, "ssoPage" | "submitSso">;

/** The page that finds a company's provider by an address: `GET`, `POST /users/sso`. */
export function withStartPage(Base: SsoClass): SsoClass {
  return class WithStartPage extends Base implements Steps {
    override loginLinks(): ReturnType<LoginSteps["loginLinks"]> {
      const own = { label: this.t("sso.link"), url: this.type.path("sso"), icon: "users" };
      return [...super.loginLinks(), own];
    }
    async ssoPage(): Promise<Reply> {
      await this.load();
      return this.page("sso", { csrf: this.csrf("sso") });
    }
    /** The answer depends on the domain alone: nothing of accounts is looked at. */
    async submitSso(): Promise<Reply> {
      const wait = await this.sso.service.lookups.consume(networkOf(this.request.address));
      if (wait !== undefined) throw tooManyRequests(wait);
      const locals = { csrf: this.csrf("sso") };
      const fields = this.blanks("login");
      if (fields) return this.refuse("sso", { fields, locals });
      const login = this.normalizeLogin(this.param("login")!);
      if (!this.wantsJson) storeTypedLogin(this.session, this.type.name, login);
      const tenantId = await this.sso.companyOf(domainOfAddress(login));
      if (tenantId === undefined) return this.refuse("sso", { message: this.t("sso.unknown"), locals });
      const url = `${this.type.path(`oidc/${providerName(tenantId)}`)}?hint=${encodeURIComponent(login)}`;
      // a page that goes on by itself: browsers follow no form to another site, which the policy of contents forbids
      return this.wantsJson ? this.controller.json({ url }) : this.page("sso_continue", { url, typed_login: login });
    }
  } as unknown as AuthlibClass<InstanceType<SsoClass> & Steps>;
}
