import type { Application, Finding, RequestContext } from "framewright/host";
import {
  type BaseModel,
  type Database,
  findNamed,
  type ParamRule,
  problem,
  valueOfRecord,
} from "framewright/plugins/database";
import type { ScopeRule, TenantPlace, TenantStrategy } from "./contract.ts";
import { errors } from "./errors.ts";
import { tenantParam } from "./rules.ts";

/** Options of the strategy. */
export interface SubdomainOptions {
  /** The domain, where ALLOWED_HOSTS has several wildcards. */
  domain?: string | undefined;
  /** Labels that no tenant gets, beside those that are usual for the operator of a domain. */
  reservedSubdomains?: readonly string[] | undefined;
}

/** Labels that people take for the operator's own, or that mail and certificates rely on. */
const usualLabels = [
  ...["about", "abuse", "account", "accounts", "admin", "administrator", "api", "app", "apps", "assets", "auth"],
  ...["autoconfig", "autodiscover", "billing", "blog", "cdn", "dashboard", "demo", "dev", "docs", "email", "files"],
  ...["ftp", "git", "help", "hostmaster", "imap", "internal", "legal", "localhost", "login", "mail", "mta-sts", "mx"],
  ...[
    "ns",
    "ns1",
    "ns2",
    "ops",
    "pay",
    "payments",
    "pop",
    "pop3",
    "portal",
    "postmaster",
    "root",
    "secure",
    "security",
  ],
  ...["smtp", "sso", "staging", "static", "status", "support", "test", "vpn", "webmail", "webmaster", "www"],
];

/** One label of a host name; without those that begin as `xn--`, which look like others. */
const LABEL = /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Tenants by one label below a domain: `https://acme.shop.example`. The domain is that of the wildcard in ALLOWED_HOSTS,
 * or the one given, where there are several.
 */
export function subdomains(
  { settings }: Application,
  database: Database,
  { domain: given, reservedSubdomains = [] }: SubdomainOptions,
): TenantStrategy {
  const reserved = () => reservedLabels(domainOf(settings, given), settings);
  const labelOf = ({ hostname }: RequestContext): string | undefined => {
    const ending = `.${domainOf(settings, given)}`;
    const label = hostname.endsWith(ending) ? hostname.slice(0, -ending.length) : "";
    return LABEL.test(label) && !reserved().has(label) ? label : undefined;
  };
  return {
    async find(request, rule) {
      const label = labelOf(request);
      return label === undefined ? undefined : findByLabel(database, rule, label);
    },
    url(entity, { rule, origin }) {
      const label = tenantParam(rule, entity);
      const domain = domainOf(settings, given);
      if (!LABEL.test(label) || reserved().has(label)) throw errors.FW_SCOPE_LABEL(rule.entity.constant, label, domain);
      return origin(`${label}.${domain}`);
    },
    entry: (place) => entryFor(domainOf(settings, given), place),
    check({ entity, paramKey, engine }) {
      const domain = domainOf(settings, given, engine.name);
      if (paramKey === entity.primaryKey || entity.paramRules.includes(labelRule)) return;
      entity.paramRules.push(labelRule);
      const names = [...reservedLabels(domain, settings), ...usualLabels, ...reservedSubdomains];
      for (const label of names) entity.reservedParams.add(label.toLowerCase());
    },
  };
}

/** What names a tenant is one label of a host name, and its host finds it. */
const labelRule: ParamRule = {
  maxLength: 63,
  problem: (value) => (LABEL.test(value) ? undefined : problem("not_a_label")),
};

/** What `fw doctor` finds of tenants that no host name leads to, or whose names new tenants can't take. */
export async function examineLabels(database: Database, { entity, paramKey, engine }: ScopeRule): Promise<Finding> {
  const rows = await database.query(entity.class).select(paramKey).whereNotNull(paramKey).limit(MAX_EXAMINED);
  const names = rows.map((row) => String((row as unknown as Record<string, unknown>)[paramKey]));
  const lost = names.filter((name) => !LABEL.test(name));
  const kept = names.filter((name) => LABEL.test(name) && entity.reservedParams.has(name));
  const listed = (some: readonly string[]) => `${some.slice(0, 5).join(", ")}${some.length > 5 ? ", …" : ""}`;
  const problems = [
    ...(lost.length > 0
      ? [`no host name leads to ${listed(lost)}: their members get 404; write another ${paramKey}`]
      : []),
    ...(kept.length > 0
      ? [`${listed(kept)} are reserved by now: served as before, but their ${paramKey} can't be saved again`]
      : []),
  ];
  return {
    what: `subdomains of ${entity.constant} in ${engine.name}`,
    ok: lost.length === 0,
    detail: problems.length > 0 ? problems.join("; ") : `${names.length} read, each is a label of a host name`,
  };
}
const MAX_EXAMINED = 100_000;

async function findByLabel(
  database: Database,
  { entity: model, paramKey }: ScopeRule,
  label: string,
): Promise<BaseModel | undefined> {
  const read = async (column: string, value: number | string) =>
    database.query(model.class).where(`${model.table}.${column}`, value).first();
  return findNamed({ model, paramKey, read, valueOf: valueOfRecord }, label);
}

type Settings = TenantPlace["settings"];

/** @throws FW_SCOPE_DOMAIN */
function domainOf({ allowedHosts, env }: Settings, given: string | undefined, portal = "a portal"): string {
  const listed = allowedHosts.filter((name) => name.startsWith("*.")).map((name) => name.slice(2));
  const domains = listed.length === 0 && allowedHosts.length === 0 && env !== "production" ? ["localhost"] : listed;
  const domain = given?.toLowerCase() ?? domains[0];
  if (domain === undefined || !domains.includes(domain) || (given === undefined && domains.length > 1))
    throw errors.FW_SCOPE_DOMAIN(portal, given, domains);
  return domain;
}

/** What is no tenant's: www, and the names below the domain that are listed or are the application's own. */
function reservedLabels(domain: string, { allowedHosts, appUrl }: Settings): ReadonlySet<string> {
  const names = [...allowedHosts, ...(appUrl ? [appUrl.hostname] : [])];
  const below = names.filter((name) => name.endsWith(`.${domain}`)).map((name) => name.slice(0, -domain.length - 1));
  return new Set(["www", ...below.filter((label) => LABEL.test(label))]);
}

/** The application's own address at the domain, else the domain itself where it is served. */
function entryFor(domain: string, { settings: { appUrl, allowedHosts }, origin }: TenantPlace): string | undefined {
  if (appUrl && (appUrl.hostname === domain || appUrl.hostname.endsWith(`.${domain}`))) return appUrl.origin;
  const isServed = allowedHosts.includes(domain) || (allowedHosts.length === 0 && domain === "localhost");
  return isServed ? origin(domain) : undefined;
}
