import { defineGenerator, usage } from "framewright/generators";
import { pluralize } from "framewright/host/inflection";
import {
  accountGenerator,
  accountName,
  pluginPathOf,
  writeAccount,
} from "../../../authlib/generators/toolkit/index.ts";

export default defineGenerator({
  name: "fw:authlib:sso",
  summary: "Let companies sign in with their own identity provider: the tenants of an account type's members",
  example: "fw generate fw:authlib:sso customer",
  args: "<account>",
  options: {
    membership: { summary: "The model of memberships, where several lead to the accounts", value: "CLASS" },
  },
  directory: accountGenerator.directory, // the account type is written by its templates
  async run(context) {
    const { args, changes, options, note } = context;
    const account = accountName(args[0]!, note);
    if (!changes.exists(pluginPathOf(account))) throw usage.FW_ACCOUNT_UNKNOWN(account);
    const { membership } = options;
    const given = typeof membership === "string" ? `{ membership: ${JSON.stringify(membership)} }` : "";
    const hasTables = await writeAccount(context, account, {
      features: ["oidc_login", "tenant_sso"],
      code: { oidc_login: "oidcLogin({ providers: {} })", tenant_sso: `tenantSso(${given})` },
      ...{ isApi: false, roles: undefined, model: undefined, views: false },
    });
    note(`
The owner of a tenant sets it up on the page "Company sign-in" of the user menu; its people sign in at /${pluralize(account)}/sso.
Set APP_URL, which the addresses for providers begin with.${hasTables ? "\n\nNext:\n  npx fw db:migrate" : ""}`);
  },
});
