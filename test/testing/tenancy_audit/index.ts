import type { RouteInfo } from "framewright/host";
import { FramewrightError, suggest } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import type { ScopeRule } from "framewright/plugins/scoping";
import { AttachedFiles } from "./attached_files.ts";
import { MarkedFiles } from "./files.ts";
import { RecordIds } from "./foreign_ids.ts";
import { type OpenedCopy, openCopy } from "./open_copy.ts";
import { PeopleMaker } from "./people.ts";
import { type AuditWorld, isWizard, nameOf, PortalAudit } from "./portal_audit.ts";
import { MarkedRecords } from "./records.ts";
import { type DrawnRoute, summarize, type TenancyReport } from "./report.ts";
import { Snapshot } from "./snapshot.ts";

/** Options of `auditTenancy`. */
export interface AuditOptions {
  /** The application's folder; the working directory unless told. */
  root?: string;
  /** The address of the database that is copied; the application's own unless told. */
  database?: string;
  /** Only this portal, as `CustomerPortal`. */
  portal?: string;
  /** Leaves the copy of the database where it is, to look at. */
  keep?: boolean;
  /** The most requests on one route; 400 unless told. */
  requests?: number;
  /** The most milliseconds on one route; 30,000 unless told. */
  milliseconds?: number;
  /** Ends the audit early; the copy is removed then. */
  signal?: AbortSignal;
  /** The environment; that of the process unless told. */
  values?: Readonly<Record<string, string | undefined>>;
}

/** Audits a closed application: opens it on a copy of its database. @throws FW_AUDIT_PORTAL, FW_AUDIT_TENANT, FW_DATABASE_COPY */
export async function runAudit(options: AuditOptions): Promise<TenancyReport> {
  const { root = process.cwd(), database, keep = false, values = process.env } = options;
  const opened = await openCopy({ root, database, values });
  try {
    const report = await auditOpened(opened, options);
    return { ...report, kept: keep ? opened.database : undefined };
  } finally {
    await opened.close(keep);
  }
}

async function auditOpened({ application, recorder }: OpenedCopy, options: AuditOptions): Promise<TenancyReport> {
  const { requests = 400, milliseconds = 30_000, signal } = options;
  const routes = application.routes();
  const rules = rulesOf({ application }, routes, options.portal);
  const worlds = new Map<ModelInfo, AuditWorld>();
  const audits: PortalAudit[] = [];
  for (const rule of rules) if (!worlds.has(rule.entity)) worlds.set(rule.entity, await makeWorld(rule.entity));
  for (const side of ["b", "a"] as const) // pages first: what members of A write into shared records has their mark
    for (const rule of rules) {
      const world = worlds.get(rule.entity)!;
      const own = routes.filter(({ engine }) => engine === rule.engine.name);
      await prepare(world, own, recorder);
      const audit = new PortalAudit(world, rule, own, side);
      await audit.run();
      audits.push(audit);
    }
  return reportOf(rules, routes, [...worlds.values()], audits);

  async function makeWorld(entity: ModelInfo): Promise<AuditWorld> {
    const { kernel } = application;
    const files = new MarkedFiles(kernel);
    const records = new MarkedRecords(kernel.service("database"), kernel.service("scoping"), files, entity);
    await records.fill();
    const attached = new AttachedFiles();
    await attached.fill(kernel, records);
    const people = new PeopleMaker(application, recorder, records);
    return {
      application,
      recorder,
      records,
      attached,
      ids: new RecordIds(records),
      people,
      snapshot: new Snapshot(records),
      limits: { requests, milliseconds },
      signal,
    };
  }
}

/** Makes a portal's people, and brings back what requests to another portal changed. */
async function prepare(
  world: AuditWorld,
  routes: readonly RouteInfo[],
  recorder: OpenedCopy["recorder"],
): Promise<void> {
  for (const one of ["a", "b"] as const) recorder.tenants.set(one, world.records.tenant(one));
  for (const { account } of routes) await world.people.of(account);
  await world.records.renewFiles();
  await world.snapshot.take();
}

/** @throws FW_AUDIT_PORTAL */
function rulesOf(
  { application }: Pick<OpenedCopy, "application">,
  routes: readonly RouteInfo[],
  wanted: string | undefined,
): ScopeRule[] {
  const { kernel } = application;
  const names = [...new Set(routes.flatMap(({ engine }) => engine ?? []))];
  const rules = kernel.has("scoping") ? names.flatMap((name) => kernel.service("scoping").ruleOf(name) ?? []) : [];
  if (wanted === undefined) return rules;
  const found = rules.filter(({ engine }) => engine.name === wanted);
  if (found.length > 0) return found;
  const scoped = rules.map(({ engine }) => engine.name);
  const meant = suggest(wanted, scoped);
  throw new FramewrightError(
    "FW_AUDIT_PORTAL",
    `no scoped portal is called "${wanted}".${meant ? ` Did you mean "${meant}"?` : ""} Scoped are: ${scoped.join(", ") || "none"}.`,
  );
}

const drawn = (portal: string, route: RouteInfo): DrawnRoute => {
  const leadsOn = isWizard(route) || /#chooseEntity$/.test(route.to);
  return { portal, route: nameOf(route), leadsOn };
};

function reportOf(
  rules: readonly ScopeRule[],
  all: readonly RouteInfo[],
  worlds: readonly AuditWorld[],
  audits: readonly PortalAudit[],
): TenancyReport {
  const rows = audits.flatMap((audit) => audit.rows);
  const why = new Map(audits.flatMap((audit) => [...audit.why]));
  const portals = rules.map(({ engine }) => engine.name);
  const named = all.flatMap((route) =>
    route.engine !== undefined && portals.includes(route.engine) ? [drawn(route.engine, route)] : [],
  );
  const routes = summarize(named, rows, why);
  const leaks = rows
    .filter(({ leaks }) => leaks)
    .map(({ leaks: _, status: __, problem, ...row }) => ({ ...row, what: problem ?? "" }));
  const marked = worlds.flatMap(({ records }) => records.exclusive.map(({ constant }) => constant));
  const missed = [...worlds.flatMap(({ records }) => records.uncovered), ...audits.flatMap((audit) => audit.uncovered)];
  const uncovered = [...new Map(missed.map((one) => [`${one.what} ${one.reason}`, one])).values()];
  const covered = routes.filter(({ result }) => result !== "not covered").length;
  const totals = {
    routes: routes.length,
    covered,
    requests: rows.length,
    leaks: leaks.length,
    uncovered: uncovered.length,
  };
  return { portals, routes, rows, leaks, marked, uncovered, totals, kept: undefined };
}
