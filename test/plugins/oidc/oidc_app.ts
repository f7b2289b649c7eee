import type { TestApp } from "../../support/apps.ts";
import { everyday, openAccounts, type TestType } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

/** The settings of a provider by its name. */
export const credentials = (name: string, id = "shop") => ({
  [`OIDC_${name.toUpperCase()}_CLIENT_ID`]: id,
  [`OIDC_${name.toUpperCase()}_CLIENT_SECRET`]: "secret-of-the-shop-at-the-provider",
});

/** An account type `user` with these providers, as code: `acme: provider({ … })`. */
export function openOidc(
  providers: string,
  {
    features = `${everyday}, securityMails(), otp(), auditLogging()`,
    values = {} as Record<string, string>,
    types = {} as Record<string, TestType>,
  } = {},
): Promise<TestApp> {
  const user = {
    features: `${features}, oidcLogin({ providers })`,
    imports: `import { google, microsoft, oidcLogin, provider } from "framewright/plugins/oidc"; void [google, microsoft]; const providers = { ${providers} };`,
  };
  const plugins = {
    imports: `${quick.imports} import { oidc } from "framewright/plugins/oidc";`,
    list: `${quick.list} oidc(),`,
  };
  return openAccounts({ user, ...types }, { plugins, values });
}
