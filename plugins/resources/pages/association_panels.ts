import type { Reply, SafeHtml } from "framewright/host";
import type { AssociationInfo, BaseModel, Counted, ModelInfo, Query } from "framewright/plugins/database";
import { actionBar } from "framewright/plugins/fields";
import { allows, type Policy } from "../definition/policy.ts";
import type { Entry } from "../entry/entry.ts";
import { loadHandled } from "../entry/handled_values.ts";
import { withoutHidden } from "../entry/hidden_references.ts";
import { loadRelatedLabels } from "../entry/load_labels.ts";
import { pageOf } from "../entry/place.ts";
import { canNameRows, reasonForRecords } from "../entry/read_mode.ts";
import { type Page, type PageParts, readPage } from "../entry/read_page.ts";
import { RecordEntry } from "../entry/record_entry.ts";
import { rowEntries } from "../entry/row_entry.ts";
import { unshownColumns } from "../entry/unshown_columns.ts";
import { shownNames } from "../operations/shown_names.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import { associationLabel, inSentence, labelsFor, numberText } from "../registration/resource_texts.ts";
import { belowParent } from "../registration/served_by.ts";
import type { ResourceRequest } from "../request.ts";
import { chrome } from "./chrome.ts";
import { prepareActions } from "./hidden_actions.ts";
import { Panel } from "./panel.ts";
import { panelController } from "./panel_controller.ts";
import { panelList, panelRows } from "./panel_list.ts";
import { askedOfPanel, PANEL_ROWS, panelFrame, plainList } from "./panel_request.ts";

const MAX_COLUMNS = 4;
const MAX_COUNTED = 1000;

/** An association of a record's page, as the person may see it. */
export interface Related {
  /** The page, and what lists require of their controller. */
  page: ResourceRequest;
  panel: ResourceRequest;
  entry: Entry;
  association: AssociationInfo;
  target: Registration;
  policy: Policy;
  title: string;
  /** The names that the policy permits in lists, and those of the columns. */
  permitted: readonly string[];
  listed: readonly string[];
}

/** The associations that the policy permits and that have routes here, each with its first records, or those that the address requests. */
export async function associationPanels(controller: ResourceRequest, entry: Entry, policy: Policy): Promise<Panel[]> {
  const found: Panel[] = [];
  const icons = new Set<string>();
  for (const association of shownAssociations(controller, policy)) {
    const related = relatedOf(controller, entry, association);
    if (related) found.push(await panelOf(related, icons));
  }
  return found;
}

/** The rows of one panel, for its own frame; undefined where no such frame is requested. */
export async function answerPanelFrame(
  controller: ResourceRequest,
  entry: Entry,
  policy: Policy,
): Promise<Reply | undefined> {
  const { frame } = controller.request;
  const association = shownAssociations(controller, policy).find(({ name }) => panelFrame(name) === frame);
  const related = association && relatedOf(controller, entry, association);
  if (!related) return undefined;
  const { content } = await rowsOf(related, new Set());
  const locals = { ...chrome(controller, { title: related.title }), content };
  return controller.render("panel", { locals });
}

function shownAssociations(controller: ResourceRequest, policy: Policy): readonly AssociationInfo[] {
  if (controller.about.parent) return [];
  const permitted = policy.permittedAssociations() as readonly string[];
  const nested = controller.resources.registry.nestedOf(controller.registration);
  return nested.filter(({ name }) => permitted.includes(name));
}

function relatedOf(page: ResourceRequest, entry: Entry, association: AssociationInfo): Related | undefined {
  const { resources, registration } = page;
  const { record } = entry;
  const target = resources.registry.of(registration.owner).get(association.target.constant)!;
  const policy = resources.policy(page, target.policyClass, undefined, record, association);
  if (!allows(policy, "index")) return undefined;
  const permitted = resources.fields(target.permitted(policy, "Index"), target, page);
  const names = shownNames(page, permitted, "columns", { registration: target });
  const parent = association.key.columns.join();
  const listed = names.filter((name) => keyOf(target.model, name) !== parent).slice(0, MAX_COLUMNS);
  const panel = panelController(page, target, { association, record });
  const title = associationLabel(page, registration, association, target);
  return { page, panel, entry, association, target, policy, title, permitted, listed };
}

async function panelOf(related: Related, icons: Set<string>): Promise<Panel> {
  const { page, association, target, policy, title, entry } = related;
  const { content, count, isEmpty } = await rowsOf(related, icons);
  const base = page.resourceUrlFor(association.target.class, belowParent(entry.record, association));
  const isOne = association.kind === "hasOne";
  const creates = allows(policy, "create") && !(isOne && !isEmpty);
  const actions = panelActions(page, base, association, creates, labelsFor(page, target).one);
  const all = isOne ? undefined : (count ?? (await countAll(related)));
  return new Panel(association.name, title, content, actions, all && all.total > 0 ? countText(page, all) : undefined);
}

const countText = (controller: ResourceRequest, { total, capped }: Counted): string =>
  `${numberText(controller, total)}${capped ? "+" : ""}`;

interface Rows {
  content: SafeHtml;
  /** How many there are in all; undefined where it was not counted. */
  count: Counted | undefined;
  isEmpty: boolean;
}

/** The rows of a panel: those that the address requests, else the first ones. */
function rowsOf(related: Related, icons: Set<string>): Promise<Rows> {
  const { panel, association, target, permitted, listed } = related;
  const asked = association.kind === "hasOne" ? undefined : askedOfPanel(panel, association.name, permitted);
  const loaded = panel.loadedFor(listed);
  const omitted = unshownColumns(panel, target, { names: listed, loaded, sorts: asked?.sorts ?? [] });
  const parts = { loaded, omitted };
  return asked ? askedRows(related, asked, parts, icons) : firstRows(related, parts, icons);
}

async function askedRows(related: Related, list: ListRequest, parts: PageParts, icons: Set<string>): Promise<Rows> {
  const found = await askedPage(related, list, parts);
  await loadHandled(related.panel, found.entries, related.listed);
  await prepareActions(related.panel, found.entries);
  const content = panelList(related, { list, found, icons, isAsked: true });
  return { content, count: list.search === undefined ? found : undefined, isEmpty: found.entries.length === 0 };
}

async function firstRows(related: Related, parts: PageParts, icons: Set<string>): Promise<Rows> {
  const entries = await firstEntries(related, parts);
  await loadHandled(related.panel, entries, related.listed);
  const [count] = await Promise.all([countOf(related, entries), prepareActions(related.panel, entries)]);
  const found = { entries, ...count };
  const draw = related.association.kind === "hasOne" ? panelRows : panelList;
  const content = draw(related, { list: plainList(), found, icons, isAsked: false });
  return { content, count, isEmpty: entries.length === 0 };
}

/** A page of what the address requests; beyond the last one the last one. */
async function askedPage({ panel }: Related, list: ListRequest, parts: PageParts): Promise<Page> {
  const found = await readPage(panel, list, parts);
  if (found.entries.length > 0 || found.total === 0) return found;
  list.page = Math.ceil(found.total / list.perPage);
  return readPage(panel, list, parts);
}

function relatedQuery({ page, target, association, entry }: Related): Query<BaseModel> {
  const { resources } = page;
  const query = resources.visible(page, target.model, resources.database.replicaFor(page.request));
  resources.underParent(query, association, entry.record);
  return query;
}

/** How many there are in all; counted only where not all are shown, and so far. */
async function countOf(related: Related, { length }: readonly Entry[]): Promise<Counted> {
  return length < PANEL_ROWS ? { total: length, capped: false } : countAll(related);
}
const countAll = (related: Related): Promise<Counted> =>
  related.page.resources.database.countUpTo(relatedQuery(related), MAX_COUNTED);

/** The columns of the key that an association has in the model's own table, or behind it. */
const keyOf = ({ associations, polymorphic }: ModelInfo, name: string): string | undefined =>
  associations.get(name)?.key.columns.join() ?? polymorphic.get(name)?.keyColumn;

async function firstEntries(related: Related, { loaded, omitted }: PageParts): Promise<readonly Entry[]> {
  const { page, panel, target } = related;
  const { model } = target;
  const { database } = page.resources;
  const query = model.key.order(relatedQuery(related), "desc").limit(PANEL_ROWS);
  const place = pageOf(panel);
  if (reasonForRecords(model) === undefined && canNameRows(model, loaded))
    return rowEntries(place, await withoutHidden(page, model, await database.readRows(model, query, loaded, omitted)));
  const records = await database.read(query, loaded);
  await loadRelatedLabels(page, records, model, loaded);
  return records.map((found) => new RecordEntry(found, place));
}

function panelActions(
  controller: ResourceRequest,
  base: string,
  association: AssociationInfo,
  creates: boolean,
  one: string,
): SafeHtml {
  const link = (key: string, url: string, label: string) => ({
    key,
    url,
    label,
    method: "get" as const,
    category: "secondary" as const,
  });
  const actions = [];
  if (association.kind === "hasMany") actions.push(link("index", base, controller.t("resource.see_all")));
  if (creates && association.through === undefined)
    actions.push(link("new", `${base}/new`, controller.t("resource.new_title", { name: inSentence(controller, one) })));
  return actionBar(actions);
}
