import { describe } from "framewright/kernel";
import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import { errors } from "../errors.ts";

/** The methods that a narrowing block can't call: they would be dropped in silence, or reach past its group. */
const refused =
  /join|orderBy|limit|offset|union|groupBy|having|^with|^from$|^select|^distinct|range|page|modify.*graph|graph/i;

/**
 * Narrows a query by a block in a group of its own, so that an `orWhere` in it widens nothing outside (the tenant's and
 * the parent's conditions among it).
 * @throws FW_SCOPE_WIDENS, FW_SCOPE_RETURN
 */
export function narrow(query: Query<BaseModel>, where: string, block: (group: Query<BaseModel>) => unknown): void {
  query.where((group) => {
    const inner = group as unknown as Query<BaseModel>;
    const answer = block(inner);
    if (answer !== undefined && answer !== inner) {
      if (answer instanceof Promise) answer.catch(() => undefined);
      throw errors.FW_SCOPE_RETURN(`${where}: ${describe(answer)}`);
    }
    const widening = operationNames(inner).find((name) => refused.test(name));
    if (widening !== undefined) throw errors.FW_SCOPE_WIDENS(where, widening);
  });
}

/** The names of the methods that were called on a query builder, as objection records them. @throws FW_SCOPE_UNREADABLE */
export function operationNames(query: Query<BaseModel>): string[] {
  const { _operations } = query as unknown as { _operations?: { name: string }[] };
  if (!Array.isArray(_operations)) throw errors.FW_SCOPE_UNREADABLE();
  return _operations.map(({ name }) => name);
}

type Values = readonly unknown[];
/**
 * Adds conditions in a group of their own; `where` names their source, for errors. With `values`, none of them null, the block
 * is given such values, and whatever they are, it adds the same conditions to a model's queries, as every block of that `where`
 * does: queries are then built once for all. It is kept, so it may refer to nothing of a request.
 *
 *     narrow.addCondition("the region", (group, [region]) => group.where("region_id", region), [account.region_id]);
 */
export type AddCondition = (
  where: string,
  block: (group: Query<BaseModel>, values: Values) => unknown,
  values?: Values,
) => void;

/** What narrows the queries of a model, where it is the same for everybody but for values. */
export interface Narrowing {
  /** Names the conditions: what is built for one narrowing is for all of this name. */
  readonly name: string;
  readonly values: Values;
  /** Narrows a query by such values. */
  apply(query: Query<BaseModel>, values: Values): void;
}
interface Repeated {
  readonly where: string;
  readonly block: Parameters<AddCondition>[1];
  readonly count: number;
}

/** The narrowing of what `add` is called with by `state`; undefined where a condition was added that may differ. */
export function narrowingOf(state: (add: AddCondition) => void): Narrowing | undefined {
  const conditions: Repeated[] = [];
  const all: unknown[] = [];
  let isRepeated = true;
  state((where, block, values) => {
    if (!values || values.some((value) => value === null || value === undefined)) isRepeated = false;
    else {
      conditions.push({ where, block, count: values.length });
      all.push(...values);
    }
  });
  return isRepeated
    ? { name: conditions.map(({ where }) => where).join(), values: all, apply: applied(conditions) }
    : undefined;
}

/** Outlives the request: it must not refer to it. */
const applied =
  (conditions: readonly Repeated[]): Narrowing["apply"] =>
  (query, values) => {
    let at = 0;
    for (const { where, block, count } of conditions) {
      const own = values.slice(at, at + count);
      narrow(query, where, (group) => block(group, own));
      at += count;
    }
  };

/** A query that is being built, as plugins narrow it in the hook `resources.scope`. */
export class QueryScope {
  readonly model: ModelInfo;
  readonly addCondition: AddCondition;
  /** The model of a parent whose own association the query is narrowed to besides, under a nested route. */
  readonly underParent: ModelInfo | undefined;

  constructor(model: ModelInfo, by: AddCondition, underParent?: ModelInfo) {
    this.model = model;
    this.addCondition = by;
    this.underParent = underParent;
  }
}
