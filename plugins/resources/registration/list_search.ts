import type { BaseModel, Query } from "framewright/plugins/database";
import { contains } from "framewright/plugins/fields/toolkit";
import { narrow } from "../definition/query_scope.ts";
import type { ListReader } from "../operations/list_context.ts";
import { searchedColumns } from "./list_conventions.ts";
import type { Registration } from "./registration.ts";

/** What a search looks in: these columns; by a query of the definition's own where it is undefined. */
export interface ListSearch {
  readonly columns: readonly string[] | undefined;
}

/**
 * The search of a list as somebody has it: the definition's own, of columns that the person may read; where it has none that
 * may run, that of the permitted columns of one line, for people who are signed in. `permitted`: the names of the list.
 */
export function searchOf(
  registration: Registration,
  permitted: readonly string[],
  reader: ListReader,
): ListSearch | undefined {
  const { searcher, searched, isSearchable } = registration.definition;
  if (!isSearchable) return undefined;
  if (searcher && mayRun(registration, reader)) return { columns: undefined };
  const columns = searched
    ? searched.filter((column) => !reader.hidden.has(column))
    : reader.currentUser === undefined
      ? []
      : searchedColumns(registration, permitted);
  return columns.length > 0 ? { columns } : undefined;
}

/** Whether the person may read all that a search with a query of its own reads: what it declares, else every column. */
function mayRun({ definition: { searchReads }, model }: Registration, reader: ListReader): boolean {
  if (!searchReads) return reader.hidden.size === 0;
  return searchReads.every((name) => {
    const [first, column] = name.split(".") as [string, string | undefined];
    if (column === undefined) return !reader.hidden.has(first);
    const { target } = model.associations.get(first)!;
    return (
      !reader.hides(first) && !reader.isScoped(target) && reader.mayRead({ own: [], others: [[target.table, column]] })
    );
  });
}

/** Narrows to the rows that a term is found in. */
export function applySearch(
  query: Query<BaseModel>,
  { term, search: { columns } }: { term: string; search: ListSearch },
  { definition, model: { table } }: Registration,
  reader: ListReader,
): void {
  narrow(query, `${definition.constructor.name}.search`, (group) => {
    if (!columns) return definition.searcher!(group, term, reader);
    for (const column of columns) group.orWhere((one) => void contains(one, `${table}.${column}`, term));
    return undefined;
  });
}
