import { failedPart, html, humanize, type Reply, raw, type SafeHtml } from "framewright/host";
import { callHook, messageOf } from "framewright/kernel";
import { type BaseModel, type KeyValue, labelColumns } from "framewright/plugins/database";
import { type ActionView, actionBar, type DetailItem, details } from "framewright/plugins/fields";
import { recordHead } from "framewright/plugins/fields/toolkit";
import type { Attribute } from "../definition/attributes.ts";
import type { SectionOptions } from "../definition/definition_options.ts";
import type { Cell } from "../entry/cells.ts";
import type { Entry } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import { shownNames } from "../operations/shown_names.ts";
import { isSingle } from "../registration/registration.ts";
import { fieldLabel, fieldsetsFor, labelsFor, ownText } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { answerPanelFrame, associationPanels } from "./association_panels.ts";
import { actionViews, chrome } from "./chrome.ts";
import { compiledDetail } from "./detail.ts";
import { prepareActions } from "./hidden_actions.ts";
import { FROM_LIST, neighbourMenu } from "./neighbours.ts";
import { Panel } from "./panel.ts";
import { arePanelsAdded, noPanels, pluginPanels } from "./plugin_panels.ts";

/** A page for one record: what the policy permits, and the first records of its associations. */
export async function renderShow(controller: ResourceRequest, entry: Entry): Promise<Reply> {
  const policy = entry.policy();
  const { frame } = controller.request;
  const asked = frame === undefined ? undefined : await answerPanelFrame(controller, entry, policy);
  if (asked) return asked;
  const title = titleOf(controller, entry);
  const permitted = controller.registration.definition.withoutOrder(entry.shownNames());
  const names = [...shownNames(controller, permitted, "displays", { record: () => entry.record })];
  const lead: SafeHtml[] = [];
  const adding = callHook(controller.resources.hooks.recordPage, { controller, entry, names, lead });
  if (adding) await adding;
  const items = planOf(controller, names)
    .filter(({ attribute }) => attribute === undefined || String(entry.value(attribute)) !== title) // it is the heading
    .map(({ name, label, wide, aside, fact, isStamp, cell }) => {
      return { name, label, wide, aside, fact, isStamp, value: raw(cell(entry)) };
    });
  const preparing = prepareActions(controller, [entry]);
  if (preparing) await preparing;
  const actions = actionViews(controller, "record", entry.url(), policy, entry);
  if (isSingle(controller.about)) actions.push(...(await listActions(controller)));
  const isFromList = controller.request.search !== "" && controller.params.has(FROM_LIST);
  const menu = isFromList ? await neighbourMenu(controller, entry, actions) : undefined;
  const draw = (key: string, heading: string, content: SafeHtml) => new Panel(key, heading, content, actionBar([]));
  const added = arePanelsAdded(controller) ? await pluginPanels(controller, entry, draw) : noPanels;
  const own = await associationPanels(controller, entry, policy);
  if (controller.registration.definition.sections.size > 0) own.unshift(...(await sections(controller, entry)));
  const trail = controller.registration.singular ? [] : [{ label: title }];
  const t = (key: string, variables?: Record<string, unknown>) => controller.t(key, variables);
  const head = recordHead(items, { actions, more: t("resource.more_actions"), menu });
  const locals = Object.assign(chrome(controller, { title, trail }), head, {
    record: entry.lazyRecord,
    details: html`${lead}${details({ items, fieldsets: fieldsetsFor(controller, controller.registration), t })}`,
    panels: [...added.first, ...own, ...added.last],
  });
  return controller.render("show", { locals });
}

/** A singular record without a name is called as its resource: "Profile", not "UserProfile #1". */
function titleOf(controller: ResourceRequest, entry: Entry): string {
  const { registration } = controller;
  const label = entry.toLabel();
  const isNameless = registration.singular && label === registration.model.numberLabel(entry.id as KeyValue);
  return isNameless ? labelsFor(controller, registration).one : label;
}

/** What a list would have in its header: a resource without a list has it on its page. */
async function listActions(controller: ResourceRequest): Promise<ActionView[]> {
  await prepareActions(controller);
  const views = actionViews(controller, "collection", controller.listUrl, controller.policyFor());
  return views.filter(({ key }) => key !== "new");
}

interface Item extends Omit<DetailItem, "value"> {
  /** Of the column that people know a record by, where it is shown as it is. */
  attribute: Attribute | undefined;
  cell: Cell;
}

function planOf(controller: ResourceRequest, names: readonly string[]): Item[] {
  const { registration } = controller;
  return registration.planWithTexts(controller, "show", names, (kept) =>
    kept.map((name) => {
      const attribute = registration.attribute(name);
      const label = fieldLabel(controller, registration, attribute, "display");
      return {
        name,
        label,
        wide: attribute.types.display.wide === true,
        aside: isAside(attribute),
        fact: factOf(attribute),
        isStamp: isStamp(name),
        attribute: labelColumns.includes(name) && isPlain(attribute) ? attribute : undefined,
        cell: compiledDetail(controller, attribute),
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

const isStamp = (name: string): boolean => name === "created_at" || name === "updated_at";
const facts: Readonly<Record<string, DetailItem["fact"]>> = {
  enum: "state",
  date: "date",
  datetime: "date",
  money: "amount",
};
function factOf({ display, association, name }: Attribute): DetailItem["fact"] {
  if (association?.kind === "belongsTo") return "reference";
  return display.tones || (display.as === "select" && /(^|_)(status|state)$/.test(name)) ? "state" : facts[display.as];
}

type SectionPage = { controller: ResourceRequest; record: BaseModel };

async function sectionContent(page: SectionPage, key: string, content: SectionOptions["content"]) {
  try {
    return await content(page);
  } catch (cause) {
    const { constant } = page.controller.registration;
    const error = Object.assign(errors.FW_SECTION_FAILED(constant, key, messageOf(cause)), { cause });
    return failedPart(page.controller, error, cause);
  }
}

/** The sections that the definition declares. */
async function sections(controller: ResourceRequest, entry: Entry): Promise<Panel[]> {
  const found: Panel[] = [];
  const { registration } = controller;
  for (const [key, { title = humanize(key), content }] of registration.definition.sections) {
    const page = { controller, record: entry.record };
    const shown = await sectionContent(page, key, content);
    const usual = typeof title === "string" ? title : title(page);
    if (shown)
      found.push(new Panel(key, ownText(controller, registration, `sections.${key}`, usual), shown, actionBar([])));
  }
  return found;
}
