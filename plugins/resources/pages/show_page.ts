import { html, humanize, localeOf, type Reply, raw, SafeHtml } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  labelColumns,
  type ModelInfo,
  type Query,
} from "framewright/plugins/database";
import { type ActionView, actionBar, type ColumnView, details, displayWords, table } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { type Attribute, isAssociation } from "../definition/attributes.ts";
import { allows, type Policy } from "../definition/policy.ts";
import { type Cell, cellOf, templatesOf } from "../entry/cells.ts";
import type { Entry } from "../entry/entry.ts";
import { loadRelatedLabels } from "../entry/load_labels.ts";
import { Place } from "../entry/place.ts";
import { canNameRows, reasonForRecords } from "../entry/read_mode.ts";
import { RecordEntry, recordEntry } from "../entry/record_entry.ts";
import { rowEntries } from "../entry/row_entry.ts";
import { shownNames } from "../operations/shown_names.ts";
import { isSingle, type Registration } from "../registration/registration.ts";
import {
  associationLabel,
  fieldLabel,
  fieldsetsFor,
  inSentence,
  labelsFor,
  numberText,
  ownText,
  valueLabels,
} from "../registration/resource_texts.ts";
import { belowParent } from "../registration/served_by.ts";
import { actionViews, chrome } from "./chrome.ts";
import { prepareActions } from "./hidden_actions.ts";
import { FROM_LIST, neighbourMenu } from "./neighbours.ts";
import { arePanelsAdded, noPanels, pluginPanels } from "./plugin_panels.ts";

const PANEL_ROWS = 5;
const PANEL_CHARS = 60;
const MAX_COUNTED = 1000;

/** A page for one record: what the policy permits, and the first records of its associations. */
export async function renderShow(controller: ResourceController, entry: Entry): Promise<Reply> {
  const policy = entry.policy();
  const title = titleOf(controller, entry);
  const names = shownNames(controller, entry.shownNames(), "displays", { record: () => entry.record });
  const items = planOf(controller, names)
    .filter(({ attribute }) => attribute === undefined || String(entry.value(attribute)) !== title) // it is the heading
    .map(({ name, label, wide, aside, cell }) => ({ name, label, wide, aside, value: raw(cell(entry)) }));
  await prepareActions(controller, [entry]);
  const actions = actionViews(controller, "record", entry.url(), policy, entry);
  if (isSingle(controller.about)) actions.push(...(await listActions(controller)));
  const isFromList = controller.request.search !== "" && controller.params.has(FROM_LIST);
  const menu = isFromList ? await neighbourMenu(controller, entry, actions) : undefined;
  const draw = (key: string, heading: string, content: SafeHtml) => new Panel(key, heading, content, actionBar([]));
  const added = arePanelsAdded(controller) ? await pluginPanels(controller, entry, draw) : noPanels;
  const own = await panels(controller, entry, policy);
  if (controller.registration.definition.sections.size > 0) own.unshift(...(await sections(controller, entry)));
  return controller.render("show", {
    locals: {
      ...chrome(controller, {
        title,
        trail: controller.registration.singular ? [] : [{ label: title }],
        actions,
        menu,
      }),
      record: entry.lazyRecord,
      details: details({ items, fieldsets: fieldsetsFor(controller, controller.registration) }),
      panels: [...added.first, ...own, ...added.last],
    },
  });
}

/** A singular record without a name is called as its resource: "Profile", not "UserProfile #1". */
function titleOf(controller: ResourceController, entry: Entry): string {
  const { registration } = controller;
  const label = entry.toLabel();
  const isNameless = registration.singular && label === `${registration.model.class.name} #${entry.id}`;
  return isNameless ? labelsFor(controller, registration).one : label;
}

/** What a list would have in its header: a resource without a list has it on its page. */
async function listActions(controller: ResourceController): Promise<ActionView[]> {
  await prepareActions(controller);
  const views = actionViews(controller, "collection", controller.listUrl, controller.policyFor());
  return views.filter(({ key }) => key !== "new");
}

interface Item {
  name: string;
  label: string;
  wide: boolean;
  aside: boolean;
  /** Of the column that people know a record by, where it is shown as it is. */
  attribute: Attribute | undefined;
  cell: Cell;
}

function planOf(controller: ResourceController, names: readonly string[]): Item[] {
  const { registration } = controller;
  return registration.planWithTexts(controller, "show", names, (kept) =>
    kept.map((name) => {
      const attribute = registration.attribute(name);
      const label = fieldLabel(controller, registration, attribute, "display");
      return {
        ...{ name, label, wide: attribute.types.display.wide === true, aside: isAside(attribute) },
        attribute: labelColumns.includes(name) && isPlain(attribute) ? attribute : undefined,
        cell: compile(controller, attribute),
      };
    }),
  );
}

const isPlain = ({ source, display: { format, template } }: Attribute): boolean =>
  source === "column" && format === undefined && template === undefined;

/** What is looked up about a record rather than read. */
const asideTypes = new Set(["select", "radio", "enum", "boolean", "date", "datetime", "time"]);
const isAside = ({ display, association }: Attribute): boolean =>
  display.aside ?? (asideTypes.has(display.as) || association?.kind === "belongsTo");

const compile = (controller: ResourceController, attribute: Attribute): Cell =>
  cellOf(attribute, drawnWith(controller, controller.registration));
const drawnWith = (controller: ResourceController, registration: Registration) => ({
  words: displayWords((key) => controller.t(key), localeOf(controller.request.locale)),
  labelsOf: (name: string) => valueLabels(controller, registration, name),
  render: templatesOf(controller),
});

/** How one attribute is shown on a record's page. */
export const detailOf = (controller: ResourceController, attribute: Attribute, record: BaseModel): SafeHtml =>
  raw(compile(controller, attribute)(recordEntry(controller, record)));

/** An association's first records: printed whole by `{{ panels }}`, or part by part. */
class Panel extends SafeHtml {
  readonly title: string;
  readonly content: SafeHtml;
  readonly action_bar: SafeHtml;

  constructor(name: string, title: string, content: SafeHtml, actions: SafeHtml, total?: string) {
    const id = `panel-${name}`;
    const count = total === undefined ? "" : html` <span class="fw-count">${total}</span>`;
    super(
      html`<section class="fw-panel" aria-labelledby="${id}"><header class="fw-panel-header"><h2 id="${id}">${title}${count}</h2>${actions}</header>${content}</section>`
        .html,
    );
    this.title = title;
    this.content = content;
    this.action_bar = actions;
  }
}

/** The sections that the definition declares. */
async function sections(controller: ResourceController, entry: Entry): Promise<Panel[]> {
  const found: Panel[] = [];
  const { registration } = controller;
  for (const [key, { title = humanize(key), content }] of registration.definition.sections) {
    const page = { controller, record: entry.record };
    const shown = await content(page);
    const usual = typeof title === "string" ? title : title(page);
    if (shown)
      found.push(new Panel(key, ownText(controller, registration, `sections.${key}`, usual), shown, actionBar([])));
  }
  return found;
}

/** The associations that the policy permits and that have routes here, each with its first records. */
async function panels(controller: ResourceController, entry: Entry, policy: Policy): Promise<Panel[]> {
  const permitted = policy.permittedAssociations() as readonly string[];
  const { registry } = controller.resources;
  const found: Panel[] = [];
  for (const association of registry.nestedOf(controller.registration)) {
    if (!permitted.includes(association.name) || controller.about.parent) continue;
    const target = registry.of(controller.registration.owner).get(association.target.constant)!;
    const panel = await panelOf(controller, entry.record, association, target);
    if (panel) found.push(panel);
  }
  return found;
}

async function panelOf(
  controller: ResourceController,
  record: BaseModel,
  association: AssociationInfo,
  target: Registration,
): Promise<Panel | undefined> {
  const { resources } = controller;
  const policy = resources.policy(controller, target.policyClass, undefined, record, association);
  if (!allows(policy, "index")) return undefined;
  const permitted = resources.fields(target.permitted(policy, "Index"), target, controller);
  const names = shownNames(controller, permitted, "columns", { registration: target });
  const listed = names.filter((name) => keyOf(target.model, name) !== association.foreignKey).slice(0, 4);
  const related = () => {
    const query = resources.visible(controller, target.model, resources.database.replicaFor(controller.request));
    resources.underParent(query, association, record);
    return query;
  };
  const place = new Place(controller, target.model, target, record, association);
  const entries = await firstEntries(place, related(), listed);
  const base = controller.resourceUrlFor(association.target.class, belowParent(record, association));
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const { one } = labelsFor(controller, target);
  const title = associationLabel(controller, controller.registration, association, target);
  const isOne = association.kind === "hasOne";
  const rows = entries.map((entry) => ({
    id: entry.id as number,
    url: entry.url(),
    record: entry,
    actions: [],
  }));
  const empty = {
    title: t("resource.empty", { name: inSentence(controller, title) }),
    text: t(isOne ? "resource.empty_panel_one" : "resource.empty_panel"),
  };
  const columns = target.planWithTexts(controller, "panel", listed, (kept) =>
    kept.map((name) => panelColumn(controller, target, target.attribute(name))),
  );
  const creates = allows(policy, "create") && !(isOne && entries.length > 0);
  const actions = panelActions(controller, base, association, creates, one);
  const content = table({ columns, rows, empty, caption: title, t });
  return new Panel(
    association.name,
    title,
    content,
    actions,
    isOne ? undefined : await totalOf(controller, entries, related),
  );
}

/** How many there are in all; counted only where not all are shown, and so far. */
async function totalOf(
  controller: ResourceController,
  { length }: readonly Entry[],
  related: () => Query<BaseModel>,
): Promise<string | undefined> {
  if (length < PANEL_ROWS) return length === 0 ? undefined : String(length);
  const { total, capped } = await controller.resources.database.countUpTo(related(), MAX_COUNTED);
  return `${numberText(controller, total)}${capped ? "+" : ""}`;
}

/** The column of the key that an association has in the model's own table, or behind it. */
const keyOf = ({ associations, polymorphic }: ModelInfo, name: string): string | undefined =>
  associations.get(name)?.foreignKey ?? polymorphic.get(name)?.keyColumn;

function panelColumn(controller: ResourceController, target: Registration, attribute: Attribute): ColumnView {
  const cell = cellOf(attribute, { ...drawnWith(controller, target), truncate: PANEL_CHARS });
  const render = (entry: unknown) => raw(cell(entry as Entry));
  return { name: attribute.name, label: fieldLabel(controller, target, attribute, "listed"), render };
}

async function firstEntries(
  place: Place,
  query: Query<BaseModel>,
  names: readonly string[],
): Promise<readonly Entry[]> {
  const { model, controller } = place;
  const { database } = controller.resources;
  query.orderBy(`${model.table}.id`, "desc").limit(PANEL_ROWS);
  const loaded = names.filter((name) => isAssociation(model, name));
  if (reasonForRecords(model) === undefined && canNameRows(model, loaded))
    return rowEntries(place, await database.readRows(model, query, loaded));
  const records = await database.read(query, loaded);
  await loadRelatedLabels(records, model, loaded);
  return records.map((found) => new RecordEntry(found, place));
}

function panelActions(
  controller: ResourceController,
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
