import type { Reply, SafeHtml } from "framewright";
import type { AssociationInfo, BaseModel } from "framewright/plugins/database";
import { type Attribute, shower } from "../attributes.ts";
import { actionBar, type ColumnView, details, displayWords, table } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { labelsOf } from "../labels.ts";
import { allows } from "../policy.ts";
import type { Registration } from "../registration.ts";
import { prepareActions } from "../showing.ts";
import { actionViews, chrome } from "./chrome.ts";
import { associationUrl } from "./index_page.ts";

const PANEL_ROWS = 5;
type Show = (record: BaseModel, controller: ResourceController) => SafeHtml;
const wide = new Set(["text", "markdown", "json"]);

/** A page for one record: what the policy permits, and the first records of its associations. */
export async function renderShow(controller: ResourceController, record: BaseModel): Promise<Reply> {
  const policy = controller.policyFor(record);
  const names = controller.listOf("Show", record);
  const items = planOf(controller, names).map(({ attribute, show }) => ({
    name: attribute.name,
    label: attribute.display.label ?? attribute.label,
    value: show(record, controller),
    wide: wide.has(attribute.display.as),
  }));
  await prepareActions(controller, [record]);
  const actions = actionViews(controller, "record", controller.urlFor(record), policy, record);
  const title = record.toLabel();
  return controller.render("show", {
    locals: {
      ...chrome(controller, { title, trail: controller.registration.singular ? [] : [{ label: title }], actions }),
      details: details({ items }),
      panels: await panels(controller, record),
    },
  });
}

function planOf(controller: ResourceController, names: readonly string[]): { attribute: Attribute; show: Show }[] {
  const { registration } = controller;
  return registration.plans.for("show", names, (kept) =>
    kept.map((name) => {
      const attribute = registration.attribute(name);
      return { attribute, show: compile(controller, attribute) };
    }),
  );
}

const compile = (controller: ResourceController, attribute: Attribute): Show =>
  shower(attribute, { words: displayWords((key) => controller.t(key)) }, associationUrl) as Show;

/** How one attribute is shown on a record's page. */
export const detailOf = (controller: ResourceController, attribute: Attribute, record: BaseModel): SafeHtml =>
  compile(controller, attribute)(record, controller);

interface Panel {
  title: string;
  content: SafeHtml;
  action_bar: SafeHtml;
}

/** The associations that the policy permits and that have routes here, each with its first records. */
async function panels(controller: ResourceController, record: BaseModel): Promise<Panel[]> {
  const permitted = controller.policyFor(record).permittedAssociations() as readonly string[];
  const { registry } = controller.resources;
  const found: Panel[] = [];
  for (const association of registry.nestedOf(controller.registration)) {
    if (!permitted.includes(association.name) || controller.about.parent) continue;
    const target = registry.of(controller.registration.owner).get(association.target.constant)!;
    const panel = await panelOf(controller, record, association, target);
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
  const names = resources.fields(target.permitted(policy, "Index"), target, controller);
  const shownNames = names
    .filter((name) => target.model.associations.get(name)?.foreignKey !== association.foreignKey)
    .slice(0, 4);
  const records = await firstRecords(controller, record, association, target, shownNames);
  const base = controller.resourceUrlFor(association.target.class, { parent: record, association: association.name });
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const { one, many } = labelsOf(target);
  const rows = records.map((related) => ({
    id: related.$id() as number,
    url: association.kind === "hasOne" ? base : `${base}/${related.$id()}`,
    record: { record: related, controller },
    actions: [],
  }));
  const empty = { title: t("resource.empty", { name: many.toLowerCase() }), text: t("resource.empty_panel") };
  const columns = target.plans.for("panel", shownNames, (kept) =>
    kept.map((name) => panelColumn(controller, target.attribute(name))),
  );
  return {
    title: association.kind === "hasOne" ? one : many,
    content: table({ columns, rows, empty, caption: many, t }),
    action_bar: panelActions(controller, base, association, allows(policy, "create"), one),
  };
}

function panelColumn(controller: ResourceController, attribute: Attribute): ColumnView {
  const show = shower(attribute, { words: displayWords((key) => controller.t(key)), truncate: 60 }, associationUrl);
  const render = (row: unknown) =>
    show((row as { record: BaseModel }).record, (row as { controller: ResourceController }).controller);
  return { name: attribute.name, label: attribute.listed.label ?? attribute.label, render };
}

async function firstRecords(
  controller: ResourceController,
  record: BaseModel,
  association: AssociationInfo,
  target: Registration,
  names: readonly string[],
): Promise<BaseModel[]> {
  const { resources } = controller;
  const query = resources.visible(controller, target.model);
  resources.underParent(query, association, record);
  const loaded = names.filter((name) => target.model.associations.has(name));
  if (loaded.length > 0) query.withGraphFetched(`[${loaded.join(", ")}]`);
  return query.orderBy(`${target.model.table}.id`, "desc").limit(PANEL_ROWS) as unknown as Promise<BaseModel[]>;
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
    actions.push(link("new", `${base}/new`, controller.t("resource.new_title", { name: one.toLowerCase() })));
  return actionBar(actions);
}
