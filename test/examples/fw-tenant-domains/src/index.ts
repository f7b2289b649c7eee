import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/database";
import type {} from "framewright/plugins/scoping";

/** Options of `tenantDomains()`. */
export interface TenantDomainsOptions {
  /** The table, with the columns `domain` (unique, in lower case) and `tenant_id`; "tenant_domains" by default. */
  table?: string;
  /** Milliseconds after which the table is read again; 60,000 by default. */
  refreshMs?: number;
}

/** The strategy "domain": tenants at domains of their own, as `https://www.acme.test`. */
export function tenantDomains(options: TenantDomainsOptions = {}): Plugin {
  checkOptions("fw-tenant-domains", options, { table: option.string, refreshMs: option.number });
  const { table = "tenant_domains", refreshMs = 60_000 } = options;
  return definePlugin({
    name: "fw-tenant-domains",
    requires: ["host", "database", "scoping"],
    apply({ services: { host, database, scoping }, hooks, onClose }) {
      let tenants = new Map<string, string>();
      const refresh = async () => {
        const rows = await database
          .knex<{ domain: string; tenant_id: number | string }>(table)
          .orderBy("domain", "desc");
        tenants = new Map(rows.map(({ domain, tenant_id }) => [domain, String(tenant_id)]));
      };
      const report = (error: unknown) => host.log.warn({ err: error }, `the table ${table} could not be read`);
      host.hosts.add((name) => tenants.has(name));
      scoping.strategies.add("domain", {
        async find({ hostname }, { entity }) {
          const id = tenants.get(hostname);
          return id === undefined ? undefined : database.query(entity.class).findById(id);
        },
        url(tenant, { origin }) {
          const [name] = [...tenants].findLast(([, id]) => id === String(tenant.$id())) ?? [];
          if (name === undefined) throw new Error(`${table} has no domain of ${tenant.toLabel()}. Add one.`);
          return origin(name);
        },
        entry: ({ settings }) => settings.appUrl?.origin,
      });
      hooks.kernel.ready.tapPromise("fw-tenant-domains", () => refresh().catch(report)); // before its migration there is no table
      const timer = setInterval(() => refresh().catch(report), refreshMs).unref();
      onClose(() => clearInterval(timer));
    },
  });
}
