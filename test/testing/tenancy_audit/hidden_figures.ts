import type { RouteInfo } from "framewright/host";
import { findFigures, type Reading, rowsWith } from "./figures.ts";
import type { HiddenRecords } from "./hidden_records.ts";
import type { Person } from "./people.ts";
import { isWizard, nameOf } from "./portal_audit.ts";
import type { AuditRow } from "./report.ts";
import { RouteTargets } from "./targets.ts";
import type { PortalParts } from "./wizard_walk.ts";

/** Reads each page again as people of the tenant while records are added that their policies hide: what changes counts those. */
export async function findHiddenFigures(
  { world, rule, side }: PortalParts,
  hidden: HiddenRecords,
  routes: readonly RouteInfo[],
  people: readonly Person[],
): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const person of people) {
    const kinds = await hidden.variantsFor(person);
    if (kinds.length === 0) continue;
    const readings: Reading[] = [];
    for (const route of routes.filter((one) => one.verb === "GET" && !isWizard(one))) {
      if (!(await world.people.of(route.account)).all.includes(person)) continue;
      const targets = new RouteTargets({ ...world, rule, tokens: new Map() }, route);
      for (const { path } of (await targets.fill(side, "own")).targets)
        readings.push({ route: nameOf(route), person, sent: { method: "GET", url: path } });
    }
    for (const { route, sent } of await findFigures(world, readings, rowsWith(world, side, kinds)))
      rows.push({
        ...{ portal: rule.engine.name, route, as: person.label, attempt: "own records", url: `GET ${sent.url}` },
        ...{ status: 200, mayEnter: true, leaks: true },
        problem: `the answer changes when records are added that the policy hides: ${kinds.map(([model]) => model.constant).join(", ")}`,
      });
  }
  return rows;
}
