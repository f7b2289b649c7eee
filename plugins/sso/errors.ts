import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_SSO_PLUGIN: (type: string) =>
    `the account type "${type}" has the feature "tenant_sso", and nothing looks its domains up. Add sso() of framewright/plugins/sso to plugins.config.ts.`,
  FW_SSO_MEMBERSHIP: (type: string, found: readonly string[]) =>
    found.length === 0
      ? `the account type "${type}" has the feature "tenant_sso", and no model of memberships leads to its accounts. Write one with: fw generate fw:saas:membership.`
      : `accounts of the type "${type}" are members by ${found.join(" and ")}. Name the one whose tenants have providers: tenantSso({ membership: "${found[0]}" }).`,
  FW_SSO_ROLE: (type: string, option: string, role: string, known: readonly string[]) =>
    `tenantSso({ ${option}: "${role}" }) of the account type "${type}" names no role. Roles are: ${known.join(", ")}.`,
});
