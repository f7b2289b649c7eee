import type { BaseController, Route } from "framewright/host";
import type { Registration, ResourceRoute, Resources } from "framewright/plugins/resources";
import type { ScopeNeed, ScopeVerb } from "./scopes.ts";

type Registry = Resources["registry"];

const safe: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Pages with forms, and parts of pages: they show choices and records of other resources, or stay open. */
const closed: ReadonlySet<string> = new Set([
  ...["new", "edit", "newDuplicate", "recordAction", "collectionAction", "bulkAction"],
  ...["listOptions", "answerRowChoices", "followList", "followRecord"],
]);
/** Actions that begin a session: a key must not turn into one. */
const closedActions: ReadonlySet<string> = new Set(["impersonate"]);
const DELETING = /^can(?:Destroy|Delete|Purge)/;

/** What determines the needs of a request. */
export interface NeedParts {
  readonly route: Route | undefined;
  /** The values of the route's parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly actionName: string;
  /** Whether a stream of events is requested. */
  readonly isStream: boolean;
}
export const partsOf = ({ request, actionName }: BaseController): NeedParts => ({
  ...{ route: request.route, params: request.routeParams, actionName },
  isStream: request.header("accept") === "text/event-stream",
});

/**
 * What a request needs, by its route: nothing but the routes of resources is open to keys, and those that check scopes themselves, or
 * only make other requests with the same key. Undefined where no scope opens it.
 */
export function needsOf(parts: NeedParts, registry: Registry): readonly ScopeNeed[] | undefined {
  const { route, params, actionName, isStream } = parts;
  if (route?.metadata.carriesRequests || route?.metadata.checksScopes) return [];
  const about = route && registry.routes.get(route);
  if (!route || !about || closed.has(actionName) || params.panel_key !== undefined || isStream) return undefined;
  const { registration } = about;
  const key = params.action_key;
  if (key !== undefined && closedActions.has(key)) return undefined;
  const own: ScopeNeed = {
    resource: registration.path,
    verbs: verbsOf(route, registration, key),
    action: key ?? about.custom?.action,
  };
  const choices = choicesOf(parts, about, registry);
  return choices === undefined ? undefined : [own, ...choices];
}

function verbsOf({ verb, metadata }: Route, { definition }: Registration, key: string | undefined): ScopeVerb[] {
  if (safe.has(verb)) return ["read"];
  if (verb === "DELETE") return ["delete"];
  const policy = key === undefined ? undefined : (definition.actions.get(key)?.policy ?? key);
  const predicates = policy === undefined ? String(metadata.policy ?? "").split(", ") : [predicateOf(policy)];
  const deleting = predicates.filter((name) => DELETING.test(name));
  if (deleting.length === 0) return ["write"];
  return deleting.length === predicates.length ? ["delete"] : ["write", "delete"];
}

const predicateOf = (key: string): string =>
  `can${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** Choices of an association, while somebody types, are records of its resource; undefined where the portal serves none. */
function choicesOf(
  { actionName, params }: NeedParts,
  about: ResourceRoute,
  registry: Registry,
): ScopeNeed[] | undefined {
  if (actionName !== "typeahead") return [];
  const { registration } = about;
  const association = registration.model.associations.get(params.association ?? "");
  if (!association) return []; // the route answers that there is none
  const target = registry.of(registration.owner).get(association.target.constant);
  return target && [{ resource: target.path, verbs: ["read"] }];
}

/** The values of the parameters of a route for which a key may open it: each association, where its records are searched for. */
export function choicesOfParams(
  route: Route,
  params: Readonly<Record<string, string>>,
  registry: Registry,
): readonly Readonly<Record<string, string>>[] {
  const about = registry.routes.get(route);
  if (!about || route.action !== "typeahead" || params.association !== undefined) return [params];
  return [...about.registration.model.associations.keys()].map((association) => ({ ...params, association }));
}
