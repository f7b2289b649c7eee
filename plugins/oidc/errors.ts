import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_OIDC_PLUGIN: (type: string) =>
    `the account type "${type}" has the feature "oidc_login", and no plugin speaks to its providers. Add oidc() of framewright/plugins/oidc to plugins.config.ts.`,
  FW_OIDC_PROVIDERS: (type: string) =>
    `oidcLogin() of the account type "${type}" has no providers: oidcLogin({ providers: { google: google() } }).`,
  FW_OIDC_NAME: (name: string) =>
    `"${name}" can't be the name of a provider, which is in addresses and settings: lower-case letters, digits and underscores.`,
  FW_OIDC_ISSUER: (issuer: string) =>
    `"${issuer}" is no issuer: an address as https://id.example. Only localhost and 127.0.0.1 go without https, outside of production.`,
  FW_OIDC_CREDENTIALS: (name: string, settings: readonly string[]) =>
    `the provider "${name}" has no credentials: set ${settings.join(" and ")} to what it issued to this application.`,
});
