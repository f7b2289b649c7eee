import { notFound, type Reply } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  type ModelInfo,
  parseId,
  type Query,
} from "framewright/plugins/database";
import { grouped } from "../components/displays.ts";
import type { Choice } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import { narrow } from "../definition/query_scope.ts";
import { contains } from "../registration/apply_list.ts";
import { MAX_COUNTED_ROWS } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import { joinOf, MAX_LINKS } from "./links.ts";
import { listContextOf } from "./list_context.ts";

const MAX_CHOICES = 100;
const labelColumns = ["name", "title", "label", "email"];

/** The column that people know a record by, which a search looks in. */
const labelColumn = ({ columns, encrypted }: ModelInfo): string | undefined =>
  labelColumns.find((name) => columns.has(name) && !encrypted.has(name));

/** What may be chosen for an association. */
export interface Chosen {
  choices: Choice[];
  /** How many more there are; at least so many where `capped`. */
  more: number;
  capped: boolean;
}

/** The records that may be chosen for an association: what the person may see of the target, the chosen one first of all. */
export async function choicesFor(
  controller: ResourceController,
  { target }: AssociationInfo,
  given: string | readonly string[] | undefined,
): Promise<Chosen> {
  const { records, ...rest } = await search(controller, target, undefined);
  const chosen = [given ?? []].flat().slice(0, MAX_LINKS);
  const listed = new Set(records.map((record) => String(record.$id())));
  for (const id of chosen.filter((one) => one !== "" && !listed.has(one)).reverse()) {
    const found = await controller.resources.find(controller, target, id).catch(() => undefined);
    if (found) records.unshift(found);
  }
  const choices = records.map((record) => ({
    value: String(record.$id()),
    label: record.toLabel(),
    selected: chosen.includes(String(record.$id())),
  }));
  return { choices, ...rest };
}

interface Found {
  records: BaseModel[];
  more: number;
  capped: boolean;
}
const none = (): Found => ({ records: [], more: 0, capped: false });

/** The first records of a target that the person may choose from, by its policy in this portal where it has one. */
async function search(controller: ResourceController, target: ModelInfo, term: string | undefined): Promise<Found> {
  const { resources } = controller;
  const registration = resources.registry.nearest(controller.request.engine?.name, target);
  const policy = registration && resources.policy(controller, registration.policyClass, undefined);
  if (policy && !allows(policy, "typeahead")) return none();
  const query = resources.visible(controller, target);
  if (term !== undefined) narrowBy(controller, query, { target, registration, term });
  const counting = query.clone();
  const column = labelColumn(target);
  query.orderBy(`${target.table}.${column ?? "id"}`).limit(MAX_CHOICES);
  const records = await resources.database.read(query, target.class.labelAssociations);
  if (records.length < MAX_CHOICES) return { records, more: 0, capped: false };
  const { total, capped } = await resources.database.countUpTo(counting, MAX_COUNTED_ROWS);
  return { records, more: total - records.length, capped };
}

/** Searches as the target's own list does; without a search of its own by the column that people know it by, else by its id. */
function narrowBy(
  controller: ResourceController,
  query: Query<BaseModel>,
  { target, registration, term }: { target: ModelInfo; registration: Registration | undefined; term: string },
): void {
  const searcher = registration?.definition.searcher;
  const column = labelColumn(target);
  if (registration && searcher) {
    const context = { ...listContextOf(controller), parent: undefined };
    narrow(query, `${registration.definition.constructor.name}.search`, (group) => searcher(group, term, context));
  } else if (column !== undefined) contains(query, `${target.table}.${column}`, term);
  else {
    const key = parseId(term, target.columns.get("id") ?? { type: "integer" });
    if (key !== undefined) query.where(`${target.table}.id`, key);
  }
}

/** `GET …/typeahead/:association?q=`: the choices of a field that the person may fill in. @throws HttpError 404 otherwise */
export async function answerTypeahead(controller: ResourceController): Promise<Reply> {
  const name = controller.request.routeParams.association ?? "";
  const policy = controller.policyFor();
  const fields = [
    ...(allows(policy, "create") ? controller.listOf("Create") : []),
    ...(allows(policy, "update") ? controller.listOf("Update") : []),
  ];
  const association = controller.registration.model.associations.get(name);
  if (!association || (association.kind !== "belongsTo" && !joinOf(association)) || !fields.includes(name))
    throw notFound();
  const term = controller.params.string("q") || undefined;
  const { records, more, capped } = await search(controller, association.target, term);
  const data = records.map((record) => ({ id: record.$id(), label: record.toLabel() }));
  const text = moreText(controller, { more, capped });
  return controller.json({ data, meta: { more, ...(text === undefined ? {} : { text }) } });
}

/** "and 2,311 more: type to search"; undefined where nothing is left out. */
export function moreText(
  controller: ResourceController,
  { more, capped }: Omit<Chosen, "choices">,
): string | undefined {
  if (more === 0) return undefined;
  return controller.t(capped ? "resource.more_choices_capped" : "resource.more_choices", { count: grouped(more) });
}
