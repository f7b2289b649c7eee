/**
 * The names of the predicates that every policy has, without `can`, as keys of actions are written. An action, a wizard or a
 * custom route with one of them would be permitted by what the predicate is for: whoever may run an action "export" could
 * download the list.
 */
const BUILT_IN = new Set([
  ...["create", "destroy", "edit", "export", "import", "index", "new"],
  ...["read", "search", "share_views", "show", "typeahead", "update"],
]);

/** Whether every policy has a predicate of this name. `share_views` and `shareViews` name the same. */
export const isBuiltInPredicate = (key: string): boolean =>
  BUILT_IN.has(key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
