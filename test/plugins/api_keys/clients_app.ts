import { edited } from "../../support/fixtures.ts";
import { accountFiles, tenantFiles } from "../scoping/tenants.ts";

export const optional = 't.text("scopes"); t.datetime("expires_at");';
/** Programs of tenants enter the portal; their table has the optional columns, or is one of before. */
export const filesWith = (columns: string, plugin = "apiKeyScopes(), "): Record<string, string> => ({
  ...accountFiles,
  "plugins.config.ts": edited(
    accountFiles,
    "plugins.config.ts",
    [
      "import standard",
      'import { apiKeyScopes } from "framewright/plugins/api_keys"; void apiKeyScopes; import standard',
    ],
    ["...standard, widening", `...standard, ${plugin}widening`],
  ),
  "db/migrate/20260104000000_create_api_clients.ts": `export async function up(db) { await db.createTable("api_clients", (t) => { t.id(); t.belongsTo("organization", { null: false });
    t.string("name").notNull(); t.string("role", 50).notNull(); t.string("key_digest", 64).notNull().unique(); t.string("key_hint", 4).notNull();
    t.datetime("disabled_at"); t.datetime("last_used_at"); ${columns} }); }\nexport async function down() {}\n`,
  "app/models/api_client.ts": `import { belongsTo, Model } from "framewright/plugins/database"; import { ApiClientModel } from "framewright/plugins/memberships";
    export default class ApiClient extends ApiClientModel(Model("api_clients" as never)) { static associations = { organization: belongsTo() }; static enums = { role: ["write", "read_only"] }; }`,
  "app/policies/api_client_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class ApiClientPolicy extends Policy {}`,
  "packages/customer_portal/lib/engine.ts": edited(tenantFiles, "packages/customer_portal/lib/engine.ts", [
    "scopeToEntity(Organization)",
    'scopeToEntity(Organization, { strategy: "currentOrganization" })',
  ]),
  "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts": `import { type ControllerClass, concern } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals";
    import { apiClientByKey, tenantOfApiClient } from "framewright/plugins/memberships"; import ApiClient from "#app/models/api_client.ts"; import Organization from "#app/models/organization.ts";
    export default <B extends ControllerClass>(Base: B) => class extends concern(Base, PortalController, CurrentUser(apiClientByKey(ApiClient as never, { writes: "write" }))) {
      currentOrganization() { return tenantOfApiClient(this as never, Organization); } };`,
});
