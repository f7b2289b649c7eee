import type { Reply } from "framewright/host";
import { checkOptions, type OptionRule } from "framewright/kernel";
import { defineFeature } from "framewright/plugins/authlib";
import type { IdentityClaims, OidcProvider } from "../../contract.ts";
import { errors } from "../../errors.ts";
import type { ProviderSteps } from "./context.ts";
import { checkCredentials } from "./credentials.ts";
import type { FoundIdentity } from "./pending.ts";
import { steps } from "./steps.ts";

const tables = ["oidc_identities", "oidc_sessions"];

const connecting = { path: "oidc-identity", who: "anyone", page: true, verified: true } as const;

/** Options of `oidcLogin()`. */
export interface OidcLoginOptions {
  /** The providers by their names, which are in addresses and settings: `{ google: google() }`. */
  providers: Readonly<Record<string, OidcProvider>>;
}
/** What the feature `oidc_login` adds. */
export interface OidcLoginSteps extends ProviderSteps {
  /** `GET /<account_plural>/oidc/:provider` sends the person to a provider. */
  beginOidc(): Promise<Reply>;
  /** `GET /<account_plural>/oidc/:provider/callback` gets the provider's answer. */
  completeOidc(): Promise<Reply>;
  /** `POST /<account_plural>/oidc/:provider/backchannel-logout`: the provider reports a session that has ended there. */
  endOidc(): Promise<Reply>;
  oidcIdentityPage(): Promise<Reply>;
  submitOidcIdentity(): Promise<Reply>;
  oidcIdentitiesPage(): Promise<Reply>;
  submitOidcIdentities(): Promise<Reply>;
  /** Lists the identities that stayed when all other credentials were revoked: to keep, or to remove. */
  oidcReviewPage(): Promise<Reply>;
  submitOidcReview(): Promise<Reply>;
  /** Called for a person who signed in at a provider, before they come in. Return a reply to refuse. */
  beforeOidc(provider: string, claims: IdentityClaims): Promise<Reply | undefined>;
  /** `GET /<account_plural>/oidc/:provider/frontchannel-logout`: a frame in the provider's page reports the same, by `iss` and `sid`. */
  endOidcInFrame(): Promise<Reply>;
  /** Called for an identity that no account is connected to: by default it waits in the browser's session, and its page is shown. */
  newOidcIdentity(found: FoundIdentity, claims: IdentityClaims): Promise<Reply>;
  /** More columns of an account that is created from the claims of a provider: its `name`, by default. */
  oidcAccountValues(claims: Pick<IdentityClaims, "name" | "email">): Record<string, unknown>;
}

const providersRule: OptionRule = {
  expected: "providers by name, as in { google: google() }",
  check: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Signs in by accounts that people have elsewhere, by OpenID Connect. @throws FW_OIDC_NAME */
export function oidcLogin(options: OidcLoginOptions = { providers: {} }) {
  checkOptions("oidcLogin", options, { providers: providersRule });
  for (const name of Object.keys(options.providers))
    if (!/^[a-z][a-z\d_]{0,49}$/.test(name)) throw errors.FW_OIDC_NAME(name);
  return defineFeature<OidcLoginSteps>({
    name: "oidc_login",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables,
    owned: tables,
    factors: ["oidc_identities"],
    routes: [
      { verb: "GET", path: "oidc/:provider", run: "beginOidc", who: "anyone", page: true, linked: false },
      { verb: "GET", path: "oidc/:provider/callback", run: "completeOidc", who: "anyone", page: true, linked: false },
      // whoever has not verified the address of the account may not be its owner, who would share it from then on
      { ...connecting, verb: "GET", run: "oidcIdentityPage", linked: false },
      { ...connecting, verb: "POST", run: "submitOidcIdentity" },
      { verb: "GET", path: "oidc-review", run: "oidcReviewPage", who: "account", page: true, linked: false },
      { verb: "POST", path: "oidc-review", run: "submitOidcReview", who: "account" },
      { verb: "GET", path: "oidc-identities", run: "oidcIdentitiesPage", who: "account", page: true },
      { verb: "POST", path: "oidc-identities", run: "submitOidcIdentities", who: "account" },
      {
        verb: "POST",
        path: "oidc/:provider/backchannel-logout",
        run: "endOidc",
        who: "anyone",
        csrfReason: "the provider sends a signed token, and no cookie",
      },
      {
        ...{ verb: "GET", path: "oidc/:provider/frontchannel-logout", run: "endOidcInFrame" },
        ...{ who: "anyone", page: true, linked: false },
      },
    ],
    check: checkCredentials,
    steps,
  });
}
