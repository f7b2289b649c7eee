import { utc } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import { isSecret, type Registration } from "framewright/plugins/resources";
import { filterKind, filtersOf, sortable } from "framewright/plugins/resources/lists";
import {
  applyList,
  applyOrder,
  type ListReader,
  type ListRequest,
  searchOf,
} from "framewright/plugins/resources/toolkit";

/** A statement of a list. */
export interface ListStatement {
  /** As a sentence names it: `filter "status"`. */
  readonly name: string;
  readonly query: Query<BaseModel>;
  /** The column of the model that an index would need; undefined where that is not known. */
  readonly column: string | undefined;
  readonly kind: "filter" | "order" | "part of a text";
}
/** The rows that a list has without anything chosen, as a query of its own each time. */
type Start = () => Query<BaseModel>;
/** A stored row, whose values are looked for. */
type SampleRow = Readonly<Record<string, unknown>>;
type FilterValue = ListRequest["filters"] extends ReadonlyMap<string, infer Value> ? Value : never;

/** The statements of a list that everybody may read: its orders, filters, scopes and search. What code of its own refuses is left out. */
export function listStatements(registration: Registration, start: Start, sample: SampleRow): ListStatement[] {
  const { model, definition } = registration;
  const reader = readerOfAll(registration);
  const names = [...model.columns.keys(), ...model.associations.keys()].filter(
    (name) => !isSecret(registration.attribute(name)),
  );
  const columnOf = (name: string): string | undefined =>
    model.columns.has(name) ? name : (model.money[name] ?? model.associations.get(name)?.key.columns[0]);
  const statements: (ListStatement | undefined)[] = [];
  const narrowed = (statement: Omit<ListStatement, "query">, part: Partial<ListRequest>) => {
    const query = queryOf(start, (rows) => applyList(rows, { ...unnarrowed, ...part }, registration, reader));
    statements.push(query && { ...statement, query });
  };
  for (const sort of ordersOf(registration, names)) {
    const column = columnOf(sort.name);
    const query = queryOf(start, (rows) => applyOrder(rows, [sort], registration, reader));
    statements.push(query && { name: `order by "${sort.name}"`, query: query.limit(20), column, kind: "order" });
  }
  for (const name of filtersOf(registration, names, reader).keys()) {
    const column = columnOf(name);
    const [value, isPart] = chosenValue(registration, name, column === undefined ? undefined : sample[column]);
    if (value === undefined) continue;
    const kind = isPart ? "part of a text" : "filter";
    narrowed({ name: `filter "${name}"`, column, kind }, { filters: new Map([[name, value]]) });
  }
  for (const scope of definition.scopes.keys())
    narrowed({ name: `scope "${scope}"`, column: undefined, kind: "filter" }, { scope });
  const searchedIn = searchOf(registration, names, reader);
  if (searchedIn) {
    const kind = searchedIn.columns ? "part of a text" : "filter";
    narrowed({ name: "search", column: undefined, kind }, { search: "a", searchedIn });
  }
  return statements.filter((one): one is ListStatement => one !== undefined);
}

const unnarrowed: ListRequest = {
  ...{ match: "all", filters: new Map(), groups: [], page: 1, perPage: 20, askedPerPage: undefined, sorts: [] },
  ...{ sorted: false, search: undefined, searchedIn: undefined, scope: undefined, askedScope: undefined },
  ...{ columns: undefined, isPlain: true },
} as ListRequest;

function queryOf(start: Start, build: (query: Query<BaseModel>) => void): Query<BaseModel> | undefined {
  const query = start();
  try {
    build(query);
    query.clone().toKnexQuery().toSQL();
    return query;
  } catch {
    return undefined;
  }
}

/** The list's own order, and those by columns that people choose; an order by a column of another table is none of an index. */
function ordersOf(registration: Registration, names: readonly string[]): ListRequest["sorts"] {
  const { order, sorts } = registration.definition;
  const own = order.split(",").map((part) => part.replace(/^-/, ""));
  const chosen = names.filter((name) => sortable(name, registration, names) && !sorts.get(name));
  const direction = order.startsWith("-") ? ("desc" as const) : ("asc" as const);
  return [...new Set([own[0]!, ...chosen])].map((name) => ({ name, direction }));
}

/** What is chosen in a filter, and whether it is a part of a text; a value that is stored. */
function chosenValue(
  registration: Registration,
  name: string,
  stored: unknown,
): [value?: FilterValue, isPart?: boolean] {
  const declared = registration.definition.filters.get(name);
  if (declared && "inputs" in declared) return [];
  const kind = filterKind(registration, name);
  const text = stored instanceof Date ? stored.toISOString() : String(stored ?? 1);
  if (kind === "text") return [{ contains: "a" }, true];
  if (kind === "choice") return [{ any: [text] }];
  if (kind === "date" || kind === "datetime") return [{ from: /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "2026-01-01" }];
  if (kind === "boolean") return [declared ? { is: "1" } : undefined]; // half of the rows: an index saves little
  return [kind === undefined ? text : { is: text }];
}

/** Nothing is hidden from the reader of these lists. */
function readerOfAll(registration: Registration): ListReader {
  const reader = {
    ...{ currentUser: {}, currentScopedEntity: {}, parent: undefined, portal: registration.owner, timeZone: utc },
    ...{ hidden: new Set<string>(), hides: () => false, mayRead: () => true, isScoped: () => false },
    visible: () => undefined,
  };
  return reader as unknown as ListReader;
}
