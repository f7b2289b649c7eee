import { type BaseController, demodulize, humanize, localeOf, underscore } from "framewright/host";
import {
  BaseModel,
  type KeyValue,
  type ModelInfo,
  type Query,
  type RowSource,
  type Transaction,
} from "framewright/plugins/database";
import type { Choice } from "framewright/plugins/fields";
import { contains, grouped } from "framewright/plugins/fields/toolkit";
import { allows } from "../definition/policy.ts";
import { hideReferences } from "../entry/hidden_references.ts";
import { labelOf } from "../entry/labels.ts";
import { labelColumn } from "../registration/label_column.ts";
import { MAX_COUNTED_ROWS } from "../registration/list_params.ts";
import { applySearch, searchOf } from "../registration/list_search.ts";
import type { Registration } from "../registration/registration.ts";
import { labelsFor } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { choiceLine } from "./choice_line.ts";
import { hiddenColumns } from "./hidden_columns.ts";
import { MAX_LINKS } from "./links.ts";
import { ListReader } from "./list_context.ts";

const MAX_CHOICES = 100;
/** The column that choices are sorted and searched by: one whose values the person sees, in the label or by the policy. */
function knownBy(controller: BaseController, target: ModelInfo): string | undefined {
  const column = labelColumn(target);
  const registration = registrationOf(controller, target);
  if (column === undefined) return undefined;
  if (!registration) return target.class.prototype.toLabel === BaseModel.prototype.toLabel ? column : undefined;
  return hiddenColumns(controller, registration).has(column) ? undefined : column;
}

/** What may be chosen for an association. */
export interface Chosen {
  choices: Choice[];
  /** How many more there are; at least so many where `capped`. */
  more: number;
  capped: boolean;
  /** The names of their groups. */
  groups?: string[];
}

/**
 * The records that may be chosen for an association: what the person may see of the target, the chosen one first of all.
 * Of a target that they may not choose from, only what the field has already (`kept`).
 */
export async function choicesFor(
  controller: BaseController,
  target: ModelInfo,
  given: string | readonly string[] | undefined,
  kept: readonly unknown[],
): Promise<Chosen> {
  const { records, ...rest } = await found(controller, target, undefined);
  const isKept = (id: string) => mayChoose(controller, target) || kept.some((one) => String(one) === id);
  const chosen = [given ?? []].flat().slice(0, MAX_LINKS).filter(isKept);
  const listed = new Set(records.map((record) => String(target.key.of(record))));
  for (const id of chosen.filter((one) => one !== "" && !listed.has(one)).reverse()) {
    const record = await resourcesOf(controller)
      .find(controller as ResourceRequest, target, id)
      .catch(() => undefined);
    if (record) records.unshift(record);
  }
  const choices = records.map((record) => ({
    value: String(target.key.of(record)),
    label: labelOf(controller, record),
    line: choiceLine(controller, record),
    selected: chosen.includes(String(target.key.of(record))),
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
export async function found(controller: BaseController, target: ModelInfo, term: string | undefined): Promise<Found> {
  const resources = resourcesOf(controller);
  if (!mayChoose(controller, target)) return none();
  const registration = registrationOf(controller, target);
  const from = resources.database.replicaFor(controller.request);
  const open = term === undefined ? openChoices(controller, target, from) : undefined;
  const { first, all } = open ?? queriedChoices(controller, { target, registration, term, from });
  const records = await first;
  await hideReferences(controller, target, records, target.class.labelAssociations);
  if (records.length < MAX_CHOICES) return { records, more: 0, capped: false };
  const { total, capped } = await resources.database.countUpTo(all, MAX_COUNTED_ROWS);
  return { records, more: total - records.length, capped };
}

/** The first of the choices, and what counts them all. */
interface FirstChoices {
  readonly first: Promise<BaseModel[]>;
  readonly all: RowSource;
}

/** By queries that are built once; undefined where they must be built for this request. */
function openChoices(
  controller: BaseController,
  target: ModelInfo,
  knex: Transaction | undefined,
): FirstChoices | undefined {
  const resources = resourcesOf(controller);
  const { database, selects } = resources;
  const names = target.class.labelAssociations;
  const narrowing = resources.narrowing(controller as ResourceRequest, target, names);
  if (!narrowing) return undefined;
  const { values } = narrowing;
  const prepared = selects.first(target, knownBy(controller, target), narrowing);
  return {
    first: database.readPrepared(target, { prepared, values: [...values, MAX_CHOICES], knex }, names),
    all: { prepared: selects.all(target, narrowing), values, knex },
  };
}

interface ChoiceQuery {
  readonly target: ModelInfo;
  readonly registration: Registration | undefined;
  readonly term: string | undefined;
  readonly from: Transaction | undefined;
}
function queriedChoices(controller: BaseController, { target, registration, term, from }: ChoiceQuery): FirstChoices {
  const resources = resourcesOf(controller);
  const query = resources.visible(controller as ResourceRequest, target, from);
  if (term !== undefined) narrowBy(controller, query, { target, registration, term });
  const all = query.clone();
  const column = knownBy(controller, target);
  (column === undefined ? target.key.order(query) : query.orderBy(`${target.table}.${column}`)).limit(MAX_CHOICES);
  return { first: resources.database.read(query, target.class.labelAssociations), all };
}

const resourcesOf = ({ request }: BaseController) => request.kernel.service("resources");
const registrationOf = (controller: BaseController, target: ModelInfo): Registration | undefined =>
  resourcesOf(controller).registry.nearest(controller.request.engine?.name, target);

const groupLabel = (controller: BaseController, registration: Registration | undefined): string | undefined =>
  registration && labelsFor(controller, registration).many;
/** What people call the records of a model: as its resource in this portal, else by its name. */
export const groupOf = (controller: BaseController, target: ModelInfo): string =>
  groupLabel(controller, registrationOf(controller, target)) ?? humanize(underscore(demodulize(target.constant)));

/** Whether the person may choose from a model's records at all, by its policy in this portal where it has one. */
export function mayChoose(controller: BaseController, target: ModelInfo): boolean {
  const registration = registrationOf(controller, target);
  const policy = registration && resourcesOf(controller).policy(controller, registration.policyClass, undefined);
  return !policy || allows(policy, "typeahead");
}

/** Whether a key is one of those that the person may choose: a record of another tenant is as one that does not exist. */
export async function isChoosable(
  { controller, transaction }: { controller: BaseController | undefined; transaction?: Transaction | undefined },
  target: ModelInfo,
  key: unknown,
): Promise<boolean> {
  if (!controller || !mayChoose(controller, target)) return false;
  const query = resourcesOf(controller).visible(controller as ResourceRequest, target, transaction);
  target.key.where(query, key as KeyValue);
  return (await resourcesOf(controller).database.readFirst(query)) !== undefined;
}

/** Searches as the target's own list does; without a search of its own by the column that people know it by, else by its id. */
function narrowBy(
  controller: BaseController,
  query: Query<BaseModel>,
  { target, registration, term }: { target: ModelInfo; registration: Registration | undefined; term: string },
): void {
  const column = knownBy(controller, target);
  const reader = registration && new ListReader(controller, registration);
  const hasOwn = registration?.definition.searcher !== undefined || registration?.definition.searched !== undefined;
  const search = hasOwn ? searchOf(registration!, [], reader!) : undefined;
  if (search) applySearch(query, { term, search }, registration!, reader!);
  else if (column !== undefined) contains(query, `${target.table}.${column}`, term);
  else {
    const key = target.key.parse(term);
    if (key === undefined) query.whereRaw("1 = 0");
    else target.key.where(query, key);
  }
}

/** "and 2,311 more: type to search"; undefined where nothing is left out. */
export function moreText(controller: BaseController, { more, capped }: Omit<Chosen, "choices">): string | undefined {
  if (more === 0) return undefined;
  return controller.t(capped ? "resource.more_choices_capped" : "resource.more_choices", {
    count: grouped(more, localeOf(controller.request.locale)),
  });
}
