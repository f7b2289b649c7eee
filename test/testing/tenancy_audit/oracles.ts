import type { RouteInfo } from "framewright/host";
import { withoutEchoes } from "./echoes.ts";
import type { HiddenColumn, HiddenRecords } from "./hidden_records.ts";
import type { Person } from "./people.ts";
import { nameOf } from "./portal_audit.ts";
import type { AuditRow } from "./report.ts";
import { RouteTargets } from "./targets.ts";
import type { PortalParts } from "./wizard_walk.ts";

/** A question by a hidden column, and the same by something that no record has. */
interface Question {
  readonly what: string;
  readonly asked: Readonly<Record<string, string>>;
  readonly nonsense: Readonly<Record<string, string>>;
}

/** Searches, filters and sorts lists by hidden columns: an answer that names other rows than one by nonsense tells of them. */
export async function findOracles(
  { world, rule, side }: PortalParts,
  hidden: HiddenRecords,
  routes: readonly RouteInfo[],
  people: readonly Person[],
): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const route of routes.filter(({ to, verb }) => verb === "GET" && /#(index|search)$/.test(to))) {
    const targets = new RouteTargets({ ...world, rule, tokens: new Map() }, route);
    const { registration } = targets;
    const isSearch = /#search$/.test(route.to) || /\/_search$/.test(route.path);
    if (!registration && !isSearch) continue;
    const [target] = (await targets.fill(side, "own")).targets;
    const { all } = await world.people.of(route.account);
    for (const person of target ? people.filter((one) => all.includes(one)) : []) {
      const columns = await hidden.columnsFor(person);
      const own = isSearch ? columns : columns.filter((one) => one.registration.model === registration!.model);
      for (const column of own)
        for (const question of questionsOf(column, isSearch)) {
          const row = await ask(question, person, target!.path);
          rows.push({ ...row, portal: rule.engine.name, route: nameOf(route) });
        }
    }
  }
  return rows;

  async function ask({ what, asked, nonsense }: Question, person: Person, path: string) {
    world.signal?.throwIfAborted();
    const read = async (query: Question["asked"]) => {
      const sent = { method: "GET", url: `${path}.json?${new URLSearchParams(query)}`, accept: "application/json" };
      const { status, text } = await person.visitor.send(sent, { [world.recorder.tenantHeader]: side });
      return { status, text: withoutEchoes(text, sent, status), url: sent.url };
    };
    const [found, none] = [await read(asked), await read(nonsense)];
    const leaks = found.status < 300 && none.status < 300 && found.text !== none.text;
    return {
      ...{ as: person.label, attempt: "own records" as const, url: `GET ${found.url}`, status: found.status },
      ...{ mayEnter: true, leaks },
      ...(leaks && { problem: `${what} finds other rows than one by nonsense` }),
    };
  }
}

const NONSENSE = "zz9qx7";

function questionsOf({ of, text, column, registration }: HiddenColumn, isSearch: boolean): Question[] {
  const search = { what: `a search by ${of}`, asked: { q: text }, nonsense: { q: `${NONSENSE} ${column} 1` } };
  if (isSearch) return [search];
  const { filters } = registration.definition;
  const filter = (name: string) => ({
    what: `the filter "${name}" by ${of}`,
    ...{ asked: { [`filter[${name}]`]: text }, nonsense: { [`filter[${name}]`]: NONSENSE } },
  });
  const sort = (name: string) => ({
    what: `a sort by ${of}`,
    ...{ asked: { sort: name }, nonsense: { sort: NONSENSE } },
  });
  const begins = (value: string) => ({ [`filter[none][1][${column}][begins]`]: value });
  const beginning = {
    what: `a filter by the beginning of ${of}`,
    ...{ asked: begins(text), nonsense: begins(NONSENSE) },
  };
  const named = [...new Set([column, ...filters.keys()])].map(filter);
  return [search, ...named, beginning, sort(column), sort(`-${column}`)];
}
