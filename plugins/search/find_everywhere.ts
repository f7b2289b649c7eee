import type { BaseController } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import {
  allows,
  hideReferences,
  labelOf,
  labelsFor,
  type Policy,
  type Registration,
  type ResourceController,
} from "framewright/plugins/resources";
import { applySearch, ListReader, searchOf } from "framewright/plugins/resources/toolkit";

/** Milliseconds after which no further resource is searched. */
const BUDGET = 1000;
const MAX_RECORDS = 5;
/** Characters of a term that are searched for. */
const MAX_TERM = 100;

/** The records of one resource that were found; `url` leads to its list with the same search. */
export interface FoundGroup {
  label: string;
  url: string;
  records: readonly { label: string; url: string }[];
}
/** What was found in a portal; `unsearched` names the resources that the time did not suffice for. */
export interface Found {
  groups: readonly FoundGroup[];
  unsearched: readonly string[];
}

/**
 * The latest records that a term is found in, of each resource of the portal: by the search that its list has, of what the
 * person may see. Records without a page are left out.
 */
export async function findEverywhere(controller: BaseController, term: string): Promise<Found> {
  const { registry } = controller.request.kernel.service("resources");
  const until = performance.now() + BUDGET;
  const groups: FoundGroup[] = [];
  const unsearched: string[] = [];
  for (const registration of registry.of(controller.request.engine?.name).values()) {
    const search = searchIn(controller, registration);
    if (!search) continue;
    const { many } = labelsFor(controller, registration);
    if (performance.now() > until) unsearched.push(many);
    else {
      const records = await search(term.slice(0, MAX_TERM));
      const url = `${controller.request.mountPath}/${registration.path}?${new URLSearchParams({ q: term })}`;
      if (records.length > 0) groups.push({ label: many, url, records });
    }
  }
  return { groups, unsearched };
}

type Search = (term: string) => Promise<FoundGroup["records"]>;

/** The search of a resource's list, as the person has it; undefined where there is none. */
function searchIn(controller: BaseController, registration: Registration): Search | undefined {
  const resources = controller.request.kernel.service("resources");
  const policy: Policy = resources.policy(controller, registration.policyClass, undefined);
  if (
    registration.singular ||
    registration.model.key.isMissing ||
    !allows(policy, "index") ||
    !allows(policy, "search")
  )
    return undefined;
  const permitted = registration.permitted(policy, "Index");
  const names = resources.fields(permitted, registration, controller as ResourceController);
  const search = searchOf(registration, names, new ListReader(controller, registration));
  return search && ((term) => recordsOf(controller, registration, { term, search }));
}

async function recordsOf(
  controller: BaseController,
  registration: Registration,
  search: { term: string; search: NonNullable<ReturnType<typeof searchOf>> },
): Promise<FoundGroup["records"]> {
  const { request } = controller;
  const resources = request.kernel.service("resources");
  const { model, policyClass } = registration;
  const from = resources.database.replicaFor(request);
  const query = resources.visible(controller as ResourceController, model, from);
  applySearch(query, search, registration, new ListReader(controller, registration));
  model.key.order(query, "desc").limit(MAX_RECORDS);
  const records = await resources.database.read(query, model.class.labelAssociations);
  await hideReferences(controller, model, records, model.class.labelAssociations);
  const isShown = (record: BaseModel) => allows(resources.policy(controller, policyClass, record), "show");
  return records
    .filter(isShown)
    .map((record) => ({ label: labelOf(controller, record), url: controller.resourceUrlFor(record) }));
}
