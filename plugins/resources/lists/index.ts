export { filterKind, handledFilter, operators as filterOperators } from "../registration/filter_operators.ts";
export { filtersOf, scopesOf, sortable } from "../registration/list_params.ts"; // what a list offers to the person
export { maySort } from "../registration/readable_blocks.ts";
