import type { RouteInfo } from "framewright/host";
import type {} from "framewright/plugins/dashboards";
import type { Attempts } from "./attempts.ts";
import type { Person } from "./people.ts";
import { nameOf } from "./portal_audit.ts";
import type { AuditRow } from "./report.ts";
import { RouteTargets } from "./targets.ts";
import type { PortalParts } from "./wizard_walk.ts";

type Side = "a" | "b";
/** Each card is asked in both orders, for a period each: a cache that is filled in the one order is empty in the other. */
const orders: readonly (readonly [Side, Side])[] = [
  ["a", "b"],
  ["b", "a"],
];

/** Asks each card as a member of one tenant, and at once as one of the other with the same role: what a shared cache keeps shows. */
export async function findSharedCards(
  { world, rule }: PortalParts,
  routes: readonly RouteInfo[],
  attempts: Attempts,
): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  const ask = async (route: RouteInfo, person: Person, side: Side, url: string) => {
    world.signal?.throwIfAborted();
    const sent = { method: "GET", url };
    const kind = "own records" as const;
    const asked = { kind, person, side, sent, isPublic: false, isChooser: false };
    const { answer, problem, leaks } = await attempts.run(asked);
    const row = { portal: rule.engine.name, route: nameOf(route), as: person.label, attempt: kind, leaks };
    const shown = { url: `GET ${url}`, status: answer.status, mayEnter: true, ...(problem && { problem }) };
    rows.push({ ...row, ...shown });
  };
  for (const route of routes.filter(({ path }) => path.includes("/cards/:card"))) {
    const { all } = await world.people.of(route.account);
    const targets = new RouteTargets({ ...world, rule, tokens: new Map() }, route);
    const paths = { a: (await targets.fill("a", "own")).targets, b: (await targets.fill("b", "own")).targets };
    for (const pair of pairsOf(all))
      for (const [at, { path }] of paths.a.entries())
        for (const [order, sides] of orders.entries())
          for (const side of sides) {
            const own = side === "a" ? path : paths.b[at]!.path;
            await ask(route, pair[side], side, `${own}?period=${targets.served.periods[order] ?? ""}`);
          }
  }
  return rows;
}

/** The members of the two tenants who were made alike: for each role, one of each. */
function pairsOf(all: readonly Person[]): { a: Person; b: Person }[] {
  const of = (side: Side) => all.filter(({ member }) => member === side);
  const others = of("b");
  return of("a").flatMap((a, at) => (others[at] ? [{ a, b: others[at] }] : []));
}
