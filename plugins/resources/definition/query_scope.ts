import { describe } from "framewright/kernel";
import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import { errors } from "../errors.ts";

/** What a narrowing block can't say: it would be dropped in silence, or reach past its group. */
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
    const said = operationsOf(inner).find((name) => refused.test(name));
    if (said !== undefined) throw errors.FW_SCOPE_WIDENS(where, said);
  });
}

/** The names of what was said to a query builder, in objection's own words. @throws FW_SCOPE_UNREADABLE */
export function operationsOf(query: Query<BaseModel>): string[] {
  const { _operations } = query as unknown as { _operations?: { name: string }[] };
  if (!Array.isArray(_operations)) throw errors.FW_SCOPE_UNREADABLE();
  return _operations.map(({ name }) => name);
}

/** Narrows by a group of its own; `where` names who says it, for errors. */
export type NarrowBy = (where: string, block: (group: Query<BaseModel>) => unknown) => void;

/** A query that is being put together: what plugins narrow in the hook `resources.scope`, and nothing else. */
export class Narrow {
  readonly model: ModelInfo;
  readonly by: NarrowBy;
  /** The model of a parent whose own association the query is narrowed to besides, under a nested route. */
  readonly underParent: ModelInfo | undefined;

  constructor(model: ModelInfo, by: NarrowBy, underParent?: ModelInfo) {
    this.model = model;
    this.by = by;
    this.underParent = underParent;
  }
}
