import { badRequest, isParamObject, Params } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import { conditionsOf, type FilterValue, filterKind, handledFilter, readOperations } from "./filter_operators.ts";
import { refuse } from "./list_errors.ts";
import type { Registration } from "./registration.ts";

/** Which of the conditions of a group a row has to meet. */
export type Match = (typeof matches)[number];
export const matches = ["all", "any", "none"] as const;
/** Conditions of a list that are met together: of fields, and of groups within. */
export interface ConditionGroup {
  readonly match: Match;
  readonly filters: ReadonlyMap<string, FilterValue>;
  readonly groups: readonly ConditionGroup[];
}

/** How deep groups are nested, and how many conditions a list takes. */
export const MAX_GROUP_DEPTH = 2;
const MAX_CONDITIONS = 50;

export const isMatch = (name: unknown): name is Match => matches.includes(name as Match);
/** Whether anything is on. */
export const hasConditions = ({ filters, groups }: ConditionGroup): boolean => filters.size > 0 || groups.length > 0;

/**
 * Reads `filter[x]`, `filter[any][1][x]` and `match`. @throws HttpError 422 for what is not offered, 400 for too many
 * conditions and groups that are nested too deep
 */
export function readConditions(
  params: Params,
  registration: Registration,
  find: () => ReadonlyMap<string, FilterOptions | FilterGroup>,
): ConditionGroup {
  const match = params.string("match") || "all";
  if (!isMatch(match)) throw refuse("match", `is none of ${matches.join(", ")}`);
  const given = params.nested("filter");
  const offered = given.keys().length > 0 ? find() : new Map<string, never>();
  let count = 0;
  const read = (values: Params, depth: number): Omit<ConditionGroup, "match"> => {
    const filters = new Map<string, FilterValue>();
    const groups: ConditionGroup[] = [];
    for (const name of values.keys()) {
      const filter = offered.get(name);
      if (!filter && isMatch(name)) {
        for (const one of groupsIn(values, name, depth + 1)) groups.push({ match: name, ...read(one, depth + 1) });
        continue;
      }
      if (!filter) throw refuse("filter", "names what can't be filtered by");
      const value = isFilterGroup(filter) ? readInputs(values, name, filter) : readOne(values, name, registration);
      if (value === undefined || value === "") continue;
      filters.set(name, value);
      count += partsOf(registration, name, value).length;
    }
    if (count > MAX_CONDITIONS) throw badRequest(`a list takes ${MAX_CONDITIONS} conditions at most.`);
    return { filters, groups: groups.filter(hasConditions) };
  };
  return { match, ...read(given, 0) };
}

/** The groups of a kind. */
function groupsIn(values: Params, match: Match, depth: number): Params[] {
  if (depth > MAX_GROUP_DEPTH)
    throw badRequest(`groups of conditions stand in each other ${MAX_GROUP_DEPTH} deep at most.`);
  const sent = values.get(match);
  const list = (isParamObject(sent) ? Object.values(sent) : [sent ?? []].flat()).filter((one) => one !== "");
  if (!list.every(isParamObject)) throw refuse("filter", "has a group that names no conditions");
  return list.map((one) => new Params(one, "filter"));
}

/** The value that an attribute is compared with, or values by operators. */
function readOne(given: Params, name: string, registration: Registration): FilterValue | undefined {
  const kind = typeof given.get(name) === "object" ? filterKind(registration, name) : undefined;
  if (kind === undefined) return given.string(name);
  return readOperations(given.nested(name), kind, handledFilter(registration, name)?.choice?.operator);
}

/** What was filled in of the inputs of a filter; undefined for nothing. */
function readInputs(given: Params, name: string, { inputs }: FilterGroup): FilterValue | undefined {
  if (typeof given.get(name) === "string") throw refuse("filter", "has a value where it has several inputs");
  const values = given.nested(name);
  const filled: Record<string, string> = {};
  for (const key of values.keys()) {
    if (!Object.hasOwn(inputs, key)) throw refuse("filter", "names what can't be filtered by");
    const value = values.string(key);
    if (value !== undefined && value !== "") filled[key] = value;
  }
  return Object.keys(filled).length > 0 ? filled : undefined;
}

/** What is on for a name as conditions of their own; a filter of several inputs is one. */
export function partsOf({ definition }: Registration, name: string, value: FilterValue): FilterValue[] {
  const declared = definition.filters.get(name);
  return declared && isFilterGroup(declared) ? [value] : conditionsOf(value);
}

type Narrow = (query: Query<BaseModel>, name: string, value: FilterValue) => void;

/** Narrows by conditions, each of which `narrow` adds. This is the one place that puts them together. */
export function applyConditions(
  query: Query<BaseModel>,
  group: ConditionGroup,
  registration: Registration,
  narrow: Narrow,
): void {
  const { match, filters, groups } = group;
  if (!hasConditions(group)) return;
  const isAll = match === "all";
  const parts = [...filters].flatMap(([name, value]) =>
    (isAll ? [value] : partsOf(registration, name, value)).map((one) => (rows: Query<BaseModel>) => {
      narrow(rows, name, one);
    }),
  );
  for (const one of groups) parts.push((rows) => applyConditions(rows, one, registration, narrow));
  if (isAll) for (const part of parts) part(query);
  else if (match === "any") query.where((rows) => either(rows, parts));
  else whereNot(query, (rows) => either(rows, parts));
}

/** What narrows nothing is met by every row: an empty group would be left out. */
function either(rows: Query<BaseModel>, parts: readonly ((rows: Query<BaseModel>) => void)[]): void {
  for (const part of parts) rows.orWhere((one) => part(one.whereRaw("1 = 1")));
}

/** Rows that do not meet a condition, those among them for which it is null. */
function whereNot(query: Query<BaseModel>, condition: (rows: Query<BaseModel>) => void): void {
  const inner = query.modelClass().query() as unknown as Query<BaseModel>;
  inner.where((rows) => condition(rows));
  const met = inner.toKnexQuery().clear("select").select(query.knex().raw("1")).from(query.knex().raw(ONE_ROW));
  query.whereNotExists(met as never);
}
const ONE_ROW = "(select 1 as fw_one) as fw_one";
