import type { BaseController, Route } from "framewright/host";
import type { Registration, ResourceRoute, Resources } from "framewright/plugins/resources";
import type { ScopeNeed, ScopeVerb } from "./scopes.ts";

type Registry = Resources["registry"];

const safe: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Parts of pages that answer with records of other resources than the route's own, or that stay open. */
const closed: ReadonlySet<string> = new Set(["listOptions", "answerRowChoices", "followList", "followRecord"]);
/** Actions that begin a session: a key must not turn into one. */
const closedActions: ReadonlySet<string> = new Set(["impersonate"]);
const DELETING = /^can(?:Destroy|Delete|Purge)/;

/**
 * What a request needs, by its route: nothing but the routes of resources is open to keys. Undefined where no scope opens it.
 */
export function needsOf(controller: BaseController, registry: Registry): readonly ScopeNeed[] | undefined {
  const { request } = controller;
  const { route, routeParams } = request;
  const about = route && registry.routes.get(route);
  if (!route || !about || closed.has(controller.actionName) || request.header("accept") === "text/event-stream")
    return undefined;
  const { registration } = about;
  const key = routeParams.action_key;
  if (key !== undefined && closedActions.has(key)) return undefined;
  const own: ScopeNeed = {
    resource: registration.path,
    verbs: verbsOf(route, registration, key),
    action: key ?? about.custom?.action,
  };
  const choices = choicesOf(controller, about, registry);
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
function choicesOf(controller: BaseController, about: ResourceRoute, registry: Registry): ScopeNeed[] | undefined {
  if (controller.actionName !== "typeahead") return [];
  const { registration } = about;
  const name = controller.request.routeParams.association ?? "";
  const association = registration.model.associations.get(name);
  if (!association) return []; // the route answers that there is none
  const target = registry.of(registration.owner).get(association.target.constant);
  return target && [{ resource: target.path, verbs: ["read"] }];
}
