import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/authlib";
import { memoryLimits } from "framewright/plugins/limits";
import { Clients } from "./clients.ts";

export type { Begun, ClientCredentials, IdentityClaims, OidcClients, OidcProvider, Subject } from "./contract.ts";
export type { NamedProvider, OidcContext, ProviderSteps, WithOidc } from "./features/oidc_login/context.ts";
export type { IdentityRow } from "./features/oidc_login/identities.ts";
export { type OidcLoginOptions, type OidcLoginSteps, oidcLogin } from "./features/oidc_login/index.ts";
export type { FoundIdentity } from "./features/oidc_login/pending.ts";
export {
  type GoogleOptions,
  google,
  isStrongSignIn,
  type MicrosoftOptions,
  microsoft,
  type ProviderOptions,
  provider,
  type SharedProviderOptions,
  type StrongSignIn,
} from "./providers.ts";

/** Reports of ended sessions in frames, from one network. */
const FRAMES = { points: 120, seconds: 60 };

/** Speaks to the providers of OpenID Connect of the feature `oidcLogin()`, whose configurations it reads at first use. */
export const oidc = (): Plugin =>
  definePlugin({
    name: "oidc",
    requires: ["auth"],
    uses: ["limits"],
    provides: "oidc",
    apply: ({ services: { limits } }) => new Clients((limits ?? memoryLimits()).open("oidc.frames", FRAMES)),
  });
