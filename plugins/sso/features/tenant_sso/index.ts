import type { Reply } from "framewright/host";
import { checkOptions, type OptionRule, option } from "framewright/kernel";
import { type AuthlibBase, type AuthlibClass, defineFeature } from "framewright/plugins/authlib";
import type { StrongSignIn } from "framewright/plugins/oidc";
import { errors } from "../../errors.ts";
import { sealedSecrets } from "../../store/connections.ts";
import { withEnforcement } from "./enforcement.ts";
import { withStartPage } from "./start_page.ts";
import { withTenantProviders } from "./tenant_providers.ts";

/** Options of `tenantSso()`. */
export interface TenantSsoOptions {
  /** The model of memberships, where several lead to the accounts: `"OrganizationUser"`. */
  membership?: string;
  /** The least role that sets domains and provider up; by default that which manages members. */
  configures?: string;
  /** The least role that requires the provider of everybody; by default the owner's. */
  enforces?: string;
  /** The role of new members, until another is chosen; by default the least. */
  defaultRole?: string;
  /** Whether a claim may give the role of an owner; false by default. */
  ownerByClaims?: boolean;
  /** Whether an account that is there is connected by its address alone, which the provider calls verified; false by default. */
  connectsByAddress?: boolean;
  /** Whether a provider that does not state that an address is verified lets nobody in; by default only one that denies it. */
  requiresVerifiedEmail?: boolean;
  /** Which sign-ins there count as two factors; none by default. */
  secondFactor?: StrongSignIn;
  /** What is requested of providers; `["openid", "email", "profile"]` by default. */
  scopes?: readonly string[];
}
/** What the feature `tenant_sso` adds. */
export interface TenantSsoSteps {
  /** `GET /<account_plural>/sso`: the page that finds a company by an address. */
  ssoPage(): Promise<Reply>;
  submitSso(): Promise<Reply>;
  /** For a tenant that a signed-in account has entered with a role: the reply to send where it requires its own provider. */
  requireCompanySignIn(tenantId: number, role: string | undefined): Promise<Reply | undefined>;
}

const strong: OptionRule = {
  expected: 'as { amr: ["mfa"] }',
  check: (value) => typeof value === "object" && value !== null && ("amr" in value || "acr" in value),
};
const shared = ["sso_domains", "sso_connections"];

/** People sign in with the provider of their company, which a tenant's owner sets up. Requires `oidcLogin()` and the plugin `sso()`. */
export function tenantSso(options: TenantSsoOptions = {}) {
  checkOptions("tenantSso", options, {
    ...{ membership: option.string, configures: option.string, enforces: option.string, defaultRole: option.string },
    ...{ ownerByClaims: option.boolean, connectsByAddress: option.boolean, requiresVerifiedEmail: option.boolean },
    ...{ secondFactor: strong, scopes: option.strings },
  });
  return defineFeature<TenantSsoSteps>({
    name: "tenant_sso",
    directory: import.meta.dirname,
    options,
    requires: ["login", "oidc_login"],
    tables: [...shared, "sso_sessions"],
    shared,
    owned: ["sso_sessions"],
    sealed: [sealedSecrets],
    routes: [
      { verb: "GET", path: "sso", run: "ssoPage", who: "anyone", page: true, linked: false },
      { verb: "POST", path: "sso", run: "submitSso", who: "anyone" },
    ],
    check: ({ name, services }) => {
      if (!services.host.kernel.has("sso")) throw errors.FW_SSO_PLUGIN(name);
    },
    steps: (Base) =>
      withStartPage(withEnforcement(withTenantProviders(Base))) as unknown as AuthlibClass<
        AuthlibBase & TenantSsoSteps
      >,
  });
}
