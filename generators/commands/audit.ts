import type { AuditedRoute, AuditOptions, AuditRow, TenancyReport } from "framewright/testing";
import { errors, usage } from "../errors.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { applicationRoot, loadTypeScript } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import { green, red } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";

/** Audits the tenants on a copy of the database, and prints what was found. Exits 1 when something leaks. */
export default async function auditTenancy({ options }: CommandContext): Promise<void> {
  chooseEnvironment(options.env);
  const root = applicationRoot();
  await loadTypeScript(root);
  const { auditTenancy: audit } = await import("framewright/testing");
  const stop = new AbortController();
  const onSignal = () => stop.abort(errors.FW_AUDIT_STOPPED());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    const report = await audit({ root, signal: stop.signal, ...given(options) });
    const { rows: _, ...summary } = report;
    if (options.json) console.log(JSON.stringify(options.verbose ? report : summary, null, 2));
    else print(report, options.verbose === true);
    if (report.totals.leaks > 0) process.exitCode = 1;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === "FW_AUDIT_PORTAL" ? usage.FW_AUDIT_PORTAL(message.replace(/^FW_\w+: /, "")) : error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  }
}

const given = ({ portal, keep }: CommandContext["options"]): AuditOptions => ({
  ...(portal === undefined ? {} : { portal: String(portal) }),
  keep: keep === true,
});

function print(report: TenancyReport, isVerbose: boolean): void {
  const { routes, rows, leaks, uncovered, totals, kept } = report;
  if (report.portals.length === 0) console.log("No portal is scoped to a tenant: there is nothing to audit.");
  else console.log(isVerbose ? tableOfRows(rows) : tableOfRoutes(routes));
  for (const { what, reason } of uncovered) console.log(`not tried: ${what}: ${reason}`);
  for (const { route, as, url, attempt, what } of leaks)
    console.log(`${red("LEAK")} ${route}\n     as ${as} (${attempt}): ${url}\n     ${what}`);
  const sum = `${totals.covered} of ${totals.routes} routes of ${report.portals.join(", ")} covered by ${totals.requests} requests; ${totals.leaks} leak${totals.leaks === 1 ? "" : "s"}${notTried(report)}`;
  console.log(totals.leaks > 0 ? red(sum) : green(sum));
  if (kept !== undefined) console.log(`The copy of the database is kept: ${kept}`);
}

/** What was not tried, by name. */
const notTried = ({ uncovered }: TenancyReport): string =>
  uncovered.length === 0 ? "" : `; not tried: ${[...new Set(uncovered.map(({ what }) => what))].join(", ")}`;

const tableOfRoutes = (routes: readonly AuditedRoute[]): string =>
  table(
    ["portal", "route", "requests", "result"],
    routes.map(({ portal, route, requests, result, detail }) => [
      portal,
      route,
      String(requests),
      textOf(result, detail),
    ]),
  );

const tableOfRows = (rows: readonly AuditRow[]): string =>
  table(
    ["portal", "route", "as", "attempt", "request", "result"],
    rows.map(({ portal, route, as, attempt, url, status, leaks, problem }) => [
      ...[portal, route, as, attempt, url],
      leaks ? textOf("leak", problem) : String(status),
    ]),
  );

const textOf = (result: string, detail: string | undefined): string =>
  detail === undefined ? result : `${result}: ${detail.slice(0, 120)}`;
