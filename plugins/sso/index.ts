import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/api_keys";
import { memoryLimits } from "framewright/plugins/limits";
import { type SsoOptions, settled } from "./options.ts";
import { requireCompany } from "./pages/guard.ts";
import { SsoPages } from "./pages/sso_pages.ts";
import { SsoService } from "./service.ts";

export type { Connection, ConnectionValues, Domain, RoleOfValue, Sso } from "./contract.ts";
export type { Proof } from "./domains/domains.ts";
export { type TenantSsoOptions, type TenantSsoSteps, tenantSso } from "./features/tenant_sso/index.ts";
export type { SsoOptions } from "./options.ts";

const RENEW = "sso.renew";
const RENEW_MS = 6 * 3_600_000;
/** Addresses that are looked up before a sign-in, from one network. */
const LOOKUPS = { points: 60, seconds: 60 };
/** Requests to DNS and to providers while a tenant is set up. */
const CHECKS = { points: 20, seconds: 60 };

/** Tenants have domains and a provider of their own, for the feature `tenantSso()` of an account type: pages in portals, proofs in DNS. */
export function sso(options: SsoOptions = {}): Plugin {
  const own = settled(options);
  return definePlugin({
    name: "sso",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "portals", "resources", "scoping", "auth", "oidc", "jobs"],
    uses: ["limits"],
    provides: "sso",
    apply({ services: { host, database, portals, auth, oidc, jobs, limits, scoping }, hooks }) {
      const counted = limits ?? memoryLimits();
      const service = new SsoService({
        application: host,
        settled: own,
        lookups: counted.open("sso.lookups", LOOKUPS),
        checks: counted.open("sso.checks", CHECKS),
      });
      const types = () => auth.types.all().filter((type) => type.has("tenant_sso"));
      const pages = new SsoPages({ service, types: auth.types, oidc });
      jobs.define(RENEW, async () => {
        for (const type of types()) await service.domains(type).renewAll();
      });
      host.periodic.add(RENEW_MS, async () => {
        if (types().length > 0) await jobs.enqueue(RENEW, {});
      });
      hooks.kernel.drawRoutes.tap("sso", () => {
        for (const portal of portals.all.keys()) {
          const engine = host.engines.get(portal);
          if (!engine || !scoping.ruleOf(portal)) continue;
          pages.draw(host, portal);
          engine.prepare.push((controller) => requireCompany(auth.types, controller));
        }
      });
      hooks.kernel.ready.tap("sso", () => {
        const isMigrated = database.models().every(({ settled }) => settled); // else there are no associations yet
        if (isMigrated) for (const type of types()) service.shapeOf(type);
      });
      hooks.portals.userMenu.tap("sso", (items, controller) => {
        const url = pages.urlFor(controller);
        if (url) items.push({ label: controller.t("sso.title"), url, icon: "shield" });
      });
      return service;
    },
  });
}
