import { writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { type AuditOptions, auditTenancy, type TenancyReport } from "../../testing/index.ts";
import { tables } from "../wizards/mounts_support.ts";
import { tenantFiles } from "./tenants.ts";

export const secret = {
  NODE_ENV: "test",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
};
/** Audits an application of these files. */
export const audit = (files: Record<string, string>, options: AuditOptions = {}): Promise<TenancyReport> =>
  auditTenancy({ root: writeApp(files), values: secret, ...options });
/** The routes that leak. */
export const leaking = ({ leaks }: TenancyReport) => [...new Set(leaks.map(({ route }) => route))].sort();

export const portal = "packages/customer_portal";
export const controllers = `${portal}/app/controllers/customer_portal`;
/** With few resources, so that there are few routes. */
export const small: Record<string, string> = {
  ...tenantFiles,
  [`${portal}/config/routes.ts`]: edited(tenantFiles, `${portal}/config/routes.ts`, [
    "[Organization, User, Comment, Note, Attachment, Category]",
    "[Comment]",
  ]),
};
/** With all plugins, so that dashboards and wizards are there. */
export const withAll: Record<string, string> = {
  ...small,
  "db/migrate/20260103000001_create_wizards.ts": tables,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { definePlugin,", 'import standard from "framewright/plugins.config"; import { definePlugin,'],
    [/definePlugins\(\[.*\]\)/s, "definePlugins([...standard, widening])"],
  ),
};
/** The portal's routes with one more line. */
export const routes = (line: string, imported = "") =>
  edited(
    small,
    `${portal}/config/routes.ts`,
    ['routes.root({ to: "dashboard#index" });', `routes.root({ to: "dashboard#index" });\n  ${line}`],
    ["import { CustomerPortal", `${imported}import { CustomerPortal`],
  );
export const post = 'import Post from "#app/models/post.ts";\n';
