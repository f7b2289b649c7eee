import type { Registration } from "framewright/plugins/resources";
import { filtersOf, maySort, scopesOf, sortable } from "framewright/plugins/resources/lists";
import { searchOf } from "framewright/plugins/resources/toolkit";
import type { ListName } from "../contract.ts";
import { type ListNames, mayAllow, namesOf } from "./asked_policy.ts";
import type { Asker } from "./asker.ts";

/** What the reader of a document may have of a resource. All that a document depends on besides the application's code. */
export interface ResourceFacts {
  readonly lists: Readonly<Record<ListName, ListNames>>;
  /** The actions that may be allowed. */
  readonly actions: readonly string[];
  readonly filters: readonly string[];
  readonly scopes: readonly string[];
  readonly sorts: readonly string[];
  readonly isSearched: boolean;
}
/** What the reader of a document may have of a portal. */
export interface PortalFacts {
  readonly isSignedIn: boolean;
  /** By the constants of resources. */
  readonly resources: Readonly<Record<string, ResourceFacts>>;
}

const standard = ["index", "show", "create", "update", "destroy", "search"];
const lists: readonly ListName[] = ["Index", "Show", "Create", "Update"];

/** What somebody may have of the resources of a portal. */
export const factsOf = (asker: Asker, registrations: Iterable<Registration>): PortalFacts => ({
  isSignedIn: asker.isSignedIn,
  resources: Object.fromEntries([...registrations].map((one) => [one.constant, resourceFacts(asker, one)])),
});

function resourceFacts(asker: Asker, registration: Registration): ResourceFacts {
  const policies = asker.policies(registration);
  const { definition } = registration;
  const declared = [...definition.actions.values()].map(({ key, policy }) => policy ?? key);
  const asked = [...new Set([...standard, ...declared, ...registration.customRoutes.keys()])];
  const found = lists.map((list) => {
    const own = policies.map((policy) => namesOf(policy, registration, list));
    const names = asker.shown([...new Set(own.flatMap((one) => one.names))], registration);
    const varies = own.some((one) => one.varies) || differ(own.map((one) => one.names));
    return [list, { names, varies }] as const;
  });
  const named = Object.fromEntries(found) as Record<ListName, ListNames>;
  return {
    lists: named,
    actions: asked.filter((action) => policies.some((policy) => mayAllow(policy, action))),
    ...listFacts(asker, registration, named.Index.names),
  };
}

/** Whether people have different names: what all of them may have, one of them may not. */
const differ = (lists: readonly (readonly string[])[]): boolean =>
  new Set(lists.map((names) => [...names].sort().join())).size > 1;

function listFacts(asker: Asker, registration: Registration, names: readonly string[]) {
  const reader = asker.reader(registration);
  const offered = <T>(all: ReadonlyMap<string, unknown>, find: () => ReadonlyMap<string, T>): string[] => {
    try {
      return [...find().keys()];
    } catch {
      return [...all.keys()]; // a condition of the application's own needs more than is known of the person
    }
  };
  const { filters, scopes, sorts } = registration.definition;
  const candidates = [...new Set([...names, ...sorts.keys()])].filter((name) => name !== "");
  return {
    filters: offered(filters, () => filtersOf(registration, names, reader)),
    scopes: offered(scopes, () => scopesOf(registration, reader)),
    sorts: candidates.filter((name) => sortable(name, registration, names) && mayOrder(registration, name, reader)),
    isSearched: isSearched(registration, names, reader),
  };
}

/** Whether the reader may read what a declared sort orders by. */
function mayOrder(registration: Registration, name: string, reader: ReturnType<Asker["reader"]>): boolean {
  const { definition, model } = registration;
  const { by } = definition.sorts.get(name) ?? {};
  if (by !== undefined) return reader.mayRead({ own: [], others: [[model.associations.get(name)!.target.table, by]] });
  return maySort(registration, name, reader);
}

function isSearched(registration: Registration, names: readonly string[], reader: ReturnType<Asker["reader"]>) {
  try {
    return searchOf(registration, names, reader) !== undefined;
  } catch {
    return true;
  }
}
