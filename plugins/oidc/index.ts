import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/authlib";
import { Clients } from "./clients.ts";

export type { Begun, ClientCredentials, IdentityClaims, OidcClients, OidcProvider, Subject } from "./contract.ts";
export { type OidcLoginOptions, type OidcLoginSteps, oidcLogin } from "./features/oidc_login/index.ts";
export {
  type GoogleOptions,
  google,
  type MicrosoftOptions,
  microsoft,
  type ProviderOptions,
  provider,
  type SharedProviderOptions,
  type StrongSignIn,
} from "./providers.ts";

/** Speaks to the providers of OpenID Connect of the feature `oidcLogin()`, whose configurations it reads at first use. */
export const oidc = (): Plugin =>
  definePlugin({ name: "oidc", requires: ["auth"], provides: "oidc", apply: () => new Clients() });
