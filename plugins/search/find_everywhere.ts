import type { BaseController } from "framewright/host";
import type {} from "framewright/plugins/api_keys";
import { BaseModel } from "framewright/plugins/database";
import { personOf } from "framewright/plugins/fields/toolkit";
import {
  allows,
  hideReferences,
  inSentence,
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
/** Records that the line below a name has. */
const MAX_OWNERS = 2;

/** The records of one resource that were found; `url` leads to its list with the same search. */
export interface FoundGroup {
  label: string;
  /** The path of the resource: `blogging/posts`. */
  resource: string;
  url: string;
  /** `line` distinguishes records of one name, by columns that the person may read; `person` is what is shown before one who signs in. */
  records: readonly { id: unknown; label: string; line?: string; url: string; person?: ReturnType<typeof personOf> }[];
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
    const search = mayRead(controller, registration) ? searchIn(controller, registration) : undefined;
    if (!search) continue;
    const { many } = labelsFor(controller, registration);
    if (performance.now() > until) unsearched.push(many);
    else {
      const records = await search(term.slice(0, MAX_TERM));
      const url = `${controller.request.mountPath}/${registration.path}?${new URLSearchParams({ q: term })}`;
      if (records.length > 0) groups.push({ label: many, resource: registration.path, url, records });
    }
  }
  return { groups, unsearched };
}

/** What people may create in a portal, each with the address of its form. */
export function createActions(controller: BaseController): readonly PortalAction[] {
  const resources = controller.request.kernel.service("resources");
  const { mountPath, engine } = controller.request;
  const actions: PortalAction[] = [];
  for (const registration of resources.registry.of(engine?.name).values()) {
    const policy: Policy = resources.policy(controller, registration.policyClass, undefined);
    if (registration.singular || !allows(policy, "new") || !allows(policy, "create")) continue;
    const name = inSentence(controller, labelsFor(controller, registration).one);
    const label = controller.t("resource.new_title", { name });
    actions.push({ label, url: `${mountPath}/${registration.path}/new`, icon: "plus" });
  }
  return actions;
}
export interface PortalAction {
  readonly label: string;
  readonly url: string;
  /** A name of an icon of the shell. */
  readonly icon: string;
}

/** Whether the key of the request, if it came with one, may read the records of a resource. */
const mayRead = ({ request }: BaseController, { path }: Registration): boolean =>
  !request.kernel.has("api_keys") || request.kernel.service("api_keys").mayRead(request, path);

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
  const line = lineOf(controller, registration);
  const related = [...new Set([...model.class.labelAssociations, ...line.associations])];
  const records = await resources.database.read(query, related);
  await hideReferences(controller, model, records, related);
  const isPeople = model.columns.has("account_status");
  const isShown = (record: BaseModel) => allows(resources.policy(controller, policyClass, record), "show");
  return records.filter(isShown).map((record) => {
    const label = labelOf(controller, record);
    const text = line.of(record);
    const found = { id: record.$id() as unknown, label, ...(text === "" || text === label ? {} : { line: text }) };
    return {
      ...found,
      ...(isPeople ? { person: personOf(record.$id(), label) } : {}),
      url: controller.resourceUrlFor(record),
    };
  });
}

/** What is shown below the name of a record: what its definition names for choices, else what it belongs to. */
function lineOf(controller: BaseController, registration: Registration) {
  const resources = controller.request.kernel.service("resources");
  const policy: Policy = resources.policy(controller, registration.policyClass, undefined);
  const permitted = registration.permitted(policy, "Index");
  const names = resources.fields(permitted, registration, controller as ResourceController);
  const columns = registration.definition.choiceColumns.filter((name) => names.includes(name));
  const { associations } = registration.model;
  const owners = names.filter((name) => associations.get(name)?.kind === "belongsTo").slice(0, MAX_OWNERS);
  const used = columns.length > 0 ? [] : owners;
  const of = (record: BaseModel): string => {
    const values = [...columns, ...used].map((name): unknown => Reflect.get(record, name));
    const texts = values.map((value) => (value instanceof BaseModel ? labelOf(controller, value) : value));
    return texts.filter((text) => typeof text === "number" || (typeof text === "string" && text !== "")).join(" · ");
  };
  return { associations: used, of };
}
