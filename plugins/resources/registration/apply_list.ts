import type { TimeZone } from "framewright/host";
import {
  type BaseModel,
  type ColumnInfo,
  type ModelInfo,
  type Query,
  toCents,
  whereEncrypted,
} from "framewright/plugins/database";
import type { Coerced, FieldType, ReadBy } from "framewright/plugins/fields";
import { coerceColumn, equals, readValue } from "framewright/plugins/fields/toolkit";
import { inTurn, sortLabel } from "../definition/definition.ts";
import {
  type FilterGroup,
  type FilterOptions,
  isFilterGroup,
  type ListContext,
} from "../definition/definition_options.ts";
import type { Operations } from "../definition/filter_kinds.ts";
import { narrow, operationNames } from "../definition/query_scope.ts";
import { errors } from "../errors.ts";
import type { ListReader } from "../operations/list_context.ts";
import { applyConditions } from "./conditions.ts";
import { applyOperations, type FilterValue, filterKind, filterType, handledFilter } from "./filter_operators.ts";
import { refuse } from "./list_errors.ts";
import type { ListRequest } from "./list_params.ts";
import { applySearch } from "./list_search.ts";
import { mayFilter } from "./readable_blocks.ts";
import type { Registration } from "./registration.ts";

/** Applies search, filters and scope, each in a group of its own. */
export function applyList(
  query: Query<BaseModel>,
  list: ListRequest,
  registration: Registration,
  context: ListReader,
): void {
  const { definition } = registration;
  const named = definition.constructor.name;
  if (list.search !== undefined && list.searchedIn)
    applySearch(query, { term: list.search, search: list.searchedIn }, registration, context);
  if (list.scope !== undefined) applyScope(query, list.scope, registration, context);
  applyConditions(query, list, registration, (rows, name, value) => {
    const filter = definition.filters.get(name) ?? {};
    checkNamedTypes(filter, value, registration);
    if (!filter.apply) applyFilter(rows, name, value, { registration, context });
    else if (!mayFilter(registration, name, filter, context, value))
      throw refuse("filter", "names what can't be filtered by");
    else narrow(rows, `${named} filter "${name}"`, (group) => filter.apply!(group, value as never, context));
  });
}

/** What code of the definition's own gets is a value of the type that the filter names. @throws HttpError 422 */
function checkNamedTypes(filter: FilterOptions | FilterGroup, value: FilterValue, { types }: Registration): void {
  if (!filter.apply) return;
  const named = isFilterGroup(filter) ? filter.inputs : { value: filter };
  const given = typeof value === "string" ? { value } : value;
  for (const [name, { as }] of Object.entries(named)) {
    const type = as === undefined ? undefined : types.get(as);
    const text = given[name];
    if (type && typeof text === "string" && text !== "") readFilter(type, text, {});
  }
}

/** Narrows to the rows of a scope that the definition has. */
export function applyScope(
  query: Query<BaseModel>,
  scope: string,
  { definition, model }: Registration,
  context: ListContext,
): void {
  const { apply } = definition.scopes.get(scope)!;
  const own = model.class.scopes[scope] as unknown as (group: Query<BaseModel>) => unknown;
  const label = `${definition.constructor.name} scope "${scope}"`;
  narrow(query, label, (group) => (apply ? apply(group, context) : own(group)));
}

/** Compares the column of a filter. */
function applyFilter(
  query: Query<BaseModel>,
  name: string,
  value: FilterValue,
  { registration, context }: { registration: Registration; context: ListReader },
): void {
  const { definition, model } = registration;
  const { timeZone } = context;
  const label = `${definition.constructor.name} filter "${name}"`;
  const handled = handledFilter(registration, name);
  if (handled) {
    const given = typeof value === "string" ? { [handled.kind === "text" ? "contains" : "is"]: value } : value;
    const compare = (rows: Query<BaseModel>, column: string, by: Operations) =>
      applyFilter(rows, column, by, { registration, context });
    narrow(query, label, (group) => handled.apply(group, given, { timeZone, compare }));
    return;
  }
  const day = (text: string, later: number) => dayOf(text, later, timeZone);
  const attribute = registration.attribute(name);
  const type = filterType(registration, attribute, (definition.filters.get(name) ?? {}) as FilterOptions);
  const [cents, digits] = [model.money[name], model.digitsOf(name)];
  const association = model.associations.get(name);
  const named = cents ?? association?.key.columns[0] ?? name;
  const column = `${model.table}.${named}`;
  for (const { key, target } of association ? [association] : attribute.isKey ? model.referencesBy(name) : []) {
    const visible = context.visible(target); // what is not visible to somebody is not found by its key either
    if (visible) key.whereMayReferTo(query, visible);
  }
  if (association?.key.isComposite) {
    narrow(query, label, (group) => {
      if (!association.key.filter(group, value)) throw refuse("filter", UNFIT);
    });
    return;
  }
  const info = model.columns.get(named);
  if (typeof value !== "string") {
    const stored = (one: string) => (cents === undefined ? exactly(one, type, info) : centsOf(one, digits));
    const kind = filterKind(registration, name)!;
    narrow(query, label, (group) => applyOperations(group, value, { column, kind, stored, day, timeZone }));
    return;
  }
  narrow(query, label, (group) => {
    if (cents !== undefined) return group.where(column, centsOf(value, digits));
    if (model.encrypted.has(named)) return whereEncrypted(group, named, value);
    const apply = type?.filter?.apply;
    if (apply) return apply(group, column, readFilter(type, value, {}));
    if (info?.type === "datetime") return group.where(column, ">=", day(value, 0)).where(column, "<", day(value, 1));
    return equals(group, column, exactly(value, type, info));
  });
}

/** The value as its column stores it: MySQL would take `1abc` for 1. @throws HttpError 422 */
function exactly(value: string, type: FieldType | undefined, column: ColumnInfo | undefined): unknown {
  if (type) return readFilter(type, value, { column });
  return fitting(column ? coerceColumn(value, column) : { value });
}
const readFilter = (type: FieldType, value: string, by: ReadBy): unknown =>
  fitting(readValue(type, value, { ...by, ofRecord: true }));

function fitting(read: Coerced): unknown {
  if ("problem" in read) throw refuse("filter", UNFIT);
  return read.value;
}
const UNFIT = "does not fit what it filters by";

function centsOf(value: string, digits: number): number {
  const cents = toCents(value, digits);
  if (cents === undefined) throw refuse("filter", "is not an amount of money");
  return cents;
}

/** The beginning of a day in a zone, or of one after it, as the database writes it. */
function dayOf(value: string, days: number, timeZone: TimeZone): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? "";
  const at = day === "9999-12-31" ? undefined : timeZone.dayStart(day, days); // no day is after the last one
  if (!at) throw refuse("filter", "is not a date");
  return at.toISOString().replace("T", " ").replace("Z", "");
}

/** Lets a definition order a list, and nothing else: a condition added here would be outside every group. */
export function sortUsing(query: Query<BaseModel>, where: string, using: () => unknown): void {
  const before = operationNames(query).length;
  using();
  const said = operationNames(query)
    .slice(before)
    .find((name) => !/^orderBy/i.test(name));
  if (said !== undefined) throw errors.FW_SORT_WIDENS(where, said);
}

/** The columns that order rows without a key, so that pages don't overlap. */
const comparable = ({ columns }: ModelInfo): string[] =>
  [...columns.values()].flatMap(({ name, type }) => (["text", "json", "binary"].includes(type) ? [] : [name]));

/** Orders a list, by a sort with `using` for a context only; the id decides where the requested order does not, so that pages never overlap. */
export function applyOrder(
  query: Query<BaseModel>,
  sorts: ListRequest["sorts"],
  { definition, model }: Registration,
  context: ListReader | undefined,
): void {
  for (const { name, direction } of inTurn(sorts, definition)) {
    const { using, by } = definition.sorts.get(name) ?? {};
    if (using) sortUsing(query, sortLabel(definition, name), () => using(query, direction, context!));
    else if (by !== undefined) {
      const { key, target } = model.associations.get(name)!;
      key.orderBy(query, by, direction, context?.visible(target));
    } else if (model.isKey(name)) model.key.order(query, direction);
    else query.orderBy(`${model.table}.${model.money[name] ?? name}`, direction);
  }
  const direction = sorts[0]?.direction ?? "desc";
  if (model.key.isMissing) for (const name of comparable(model)) query.orderBy(`${model.table}.${name}`, direction);
  else if (!sorts.some(({ name }) => model.isKey(name))) model.key.order(query, direction);
}
