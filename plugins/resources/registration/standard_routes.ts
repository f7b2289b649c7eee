import type { Verb } from "framewright/host";
import { duplicateOf } from "../definition/actions.ts";
import { predicateOf } from "../definition/policy.ts";
import { hasDuplicates } from "./registration.ts";
import type { ResourcePlace } from "./resource_place.ts";

/** What the application has, on which routes depend. */
export interface RouteFeatures {
  readonly panels: boolean;
}

/** A resource as its routes are drawn: at its own address, or below a parent's. */
export interface StandardRoutes extends Omit<ResourcePlace, "draw"> {
  readonly names: { many: string; one: string };
  readonly has: RouteFeatures;
  add(verb: Verb, path: string, action: string, policy: string, as?: string): void;
}

/** The list, and new records. */
export function drawList({ base, names, single, through, add }: StandardRoutes): void {
  if (!single) add("GET", base, "index", "canIndex", names.many);
  if (!through) add("POST", base, "create", "canCreate", single ? names.one : names.many);
  if (!through) add("GET", `${base}/new`, "new", "canNew", `new_${names.one}`);
}

/** Choices of its forms, while somebody types. */
export function drawListParts(routes: StandardRoutes): void {
  const { base, add } = routes;
  add("GET", `${base}/typeahead/:association`, "typeahead", "canRead");
}

/** Actions on the list. */
export function drawListActions({ base, single, add }: StandardRoutes): void {
  if (single) return;
  add("GET", `${base}/actions/:action_key`, "collectionAction", "(by action)");
  add("POST", `${base}/actions/:action_key`, "runCollectionAction", "(by action)");
}

/** A record: its forms, its actions and its page. */
export function drawRecord({ about, names, member, has, add }: StandardRoutes): void {
  const { definition } = about.registration;
  add("GET", `${member}/edit`, "edit", "canEdit", `edit_${names.one}`);
  const duplicate = duplicateOf(definition);
  if (duplicate && hasDuplicates(about))
    add("GET", `${member}/duplicate`, "newDuplicate", predicateOf(duplicate.policy!));
  add("GET", `${member}/actions/:action_key`, "recordAction", "(by action)");
  add("POST", `${member}/actions/:action_key`, "runRecordAction", "(by action)");
  if (has.panels) add("GET", `${member}/panels/:panel_key`, "show", "canShow");
  add("GET", member, "show", "canShow", names.one);
  add("PATCH", member, "update", "canUpdate", names.one);
  add("DELETE", member, "destroy", "canDestroy", names.one);
}
