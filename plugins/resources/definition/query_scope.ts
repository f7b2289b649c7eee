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

/** Adds conditions in a group of their own; `where` names their source, for errors. */
export type AddCondition = (where: string, block: (group: Query<BaseModel>) => unknown) => void;

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
