import { queryOf, type Reply, raw, type SafeHtml } from "framewright";
import type { BaseModel } from "framewright/plugins/database";
import { type Attribute, shower } from "../attributes.ts";
import { type ColumnView, displayWords, pager, type RowView, scopes, table } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { labelsOf } from "../labels.ts";
import { applyList, applyOrder, type ListRequest, readList, sortable } from "../lists.ts";
import { allows } from "../policy.ts";
import { prepareActions } from "../showing.ts";
import { actionViews, chrome } from "./chrome.ts";
import { toolbar } from "./toolbar.ts";

const TRUNCATE = 80;

/** What a row of a list is shown from. */
interface Row {
  record: BaseModel;
  controller: ResourceController;
}
/** A list of names, compiled: its columns, and what has to be loaded for them. */
export interface ListPlan {
  columns: readonly ColumnView[];
  loaded: readonly string[];
}

export async function answerIndex(controller: ResourceController): Promise<Reply> {
  const { registration } = controller;
  const names = controller.listOf("Index");
  const list = readList(controller.params, registration, names);
  const plan = planFor(controller, names);
  const { records, total } = await load(controller, list, plan);
  if (controller.request.format === "json") {
    const data = records.map((record) => controller.recordJson(record, names));
    return controller.json({ data, meta: { total, page: list.page, per_page: list.perPage } });
  }
  return renderIndex(controller, { list, plan, records, total, names });
}

/** The rows of a page, and how many there are in all. */
async function load(
  controller: ResourceController,
  list: ListRequest,
  { loaded }: ListPlan,
): Promise<{ records: BaseModel[]; total: number }> {
  const { registration, resources } = controller;
  const { database } = resources;
  const query = controller.visibleRecords();
  applyList(query, list, registration);
  const counting = query.clone();
  applyOrder(query, list, registration);
  const first = list.page === 1;
  query.limit(list.perPage).offset((list.page - 1) * list.perPage);
  const records = await database.read(query, loaded);
  if (first && records.length < list.perPage) return { records, total: records.length };
  return { records, total: await database.count(counting) };
}

export function planFor(controller: ResourceController, names: readonly string[]): ListPlan {
  const { registration } = controller;
  return registration.plans.for("index", names, (kept) => {
    const attributes = kept.map((name) => registration.attribute(name));
    return {
      columns: attributes.map((attribute) => column(controller, attribute)),
      loaded: controller.loadedFor(kept),
    };
  });
}

const numeric = new Set(["integer", "bigint", "decimal", "float", "money"]);

function column(controller: ResourceController, attribute: Attribute): ColumnView {
  const show = shower(
    attribute,
    { words: displayWords((key) => controller.t(key)), truncate: TRUNCATE },
    associationUrl,
  );
  return {
    name: attribute.name,
    label: attribute.listed.label ?? attribute.label,
    numeric: numeric.has(attribute.listed.as),
    render: (row) => show((row as Row).record, (row as Row).controller),
  };
}

/** Where a related record lives in this portal, when it is served there and the person may see it. */
export function associationUrl(related: BaseModel, from: unknown): string | undefined {
  const controller = from as ResourceController;
  const { registry } = controller.resources;
  const { constant } = controller.resources.database.model(related.constructor as never);
  const registration = registry.of(controller.request.engine?.name).get(constant);
  if (!registration || registration.singular) return undefined;
  if (!allows(controller.resources.policy(controller, registration.policyClass, related), "show")) return undefined;
  return `${controller.request.mountPath}/${registration.path}/${related.$id()}`;
}

interface IndexView {
  list: ListRequest;
  plan: ListPlan;
  records: BaseModel[];
  total: number;
  names: readonly string[];
}

async function renderIndex(controller: ResourceController, view: IndexView): Promise<Reply> {
  const { list, total } = view;
  const { many } = labelsOf(controller.registration);
  await prepareActions(controller);
  if (view.records.length > 0) await prepareActions(controller, view.records);
  const actions = actionViews(controller, "collection", controller.listUrl, controller.policyFor());
  return controller.render("index", {
    locals: {
      ...chrome(controller, { title: many, actions }),
      subtitle: controller.t("resource.count", { count: total }),
      scopes: scopeTabs(controller, list),
      filters: await toolbar(controller, list),
      table: tableOf(controller, view),
      pager: pagerOf(controller, list, total),
    },
  });
}

/** The rows of a list as they are drawn, with the actions that each allows. */
export function rowsOf(controller: ResourceController, records: readonly BaseModel[], base: string): RowView[] {
  return records.map((record) => {
    const url = `${base}/${record.$id()}`;
    const policy = controller.policyFor(record);
    const actions = actionViews(controller, "row", url, policy, record);
    const row: RowView = {
      id: record.$id() as number,
      label: record.toLabel(),
      record: { record, controller } satisfies Row,
      actions,
    };
    if (allows(policy, "show")) row.url = url;
    return row;
  });
}

function tableOf(controller: ResourceController, { plan, records, list, names }: IndexView): SafeHtml {
  const base = controller.listUrl;
  const { one, many } = labelsOf(controller.registration);
  const narrowed = list.search !== undefined || list.filters.size > 0 || list.scope !== undefined;
  const [create] = actionViews(controller, "collection", base, controller.policyFor()).filter(
    ({ key }) => key === "new",
  );
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const empty = narrowed
    ? { title: t("resource.none_found"), text: t("resource.none_found_text"), icon: "search-off" }
    : {
        title: t("resource.empty", { name: many.toLowerCase() }),
        text: t(create ? "resource.empty_text" : "resource.empty_text_readonly", { name: one.toLowerCase() }),
        ...(create ? { action: create } : {}),
      };
  const sort = (name: string) =>
    sortable(name, controller.registration, names) ? sortLink(controller, list, name) : undefined;
  return table({ columns: plan.columns, rows: rowsOf(controller, records, base), empty, caption: many, sort, t });
}

/** Everything that the list was asked for, as a query; what is given replaces it. */
function listQuery(list: ListRequest, changed: Record<string, unknown>): string {
  const sort = list.sorts.map(({ name, direction }) => (direction === "desc" ? `-${name}` : name)).join(",");
  const filter = Object.fromEntries(list.filters);
  const asked = { q: list.search, scope: list.scope, filter, sort: list.sorted ? sort : undefined };
  return queryOf({ ...asked, ...changed });
}

function sortLink(
  controller: ResourceController,
  list: ListRequest,
  name: string,
): { url: string; direction?: "asc" | "desc" } {
  const current = list.sorts.length === 1 && list.sorts[0]!.name === name ? list.sorts[0]!.direction : undefined;
  const url = controller.listUrl + listQuery(list, { sort: current === "asc" ? `-${name}` : name });
  return current ? { url, direction: current } : { url };
}

function scopeTabs(controller: ResourceController, list: ListRequest): SafeHtml {
  const { definition } = controller.registration;
  if (definition.scopes.size === 0) return raw("");
  const tab = (key: string, label: string, active: boolean, scope: string | undefined) => ({
    key,
    label,
    active,
    url: controller.listUrl + listQuery(list, { scope }),
  });
  const named = [...definition.scopes].map(([key, { label }]) =>
    tab(key, label ?? key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " "), list.scope === key, key),
  );
  return scopes(
    [tab("all", controller.t("resource.all"), list.scope === undefined, undefined), ...named],
    controller.t("resource.scopes"),
  );
}

function pagerOf(controller: ResourceController, list: ListRequest, total: number): SafeHtml {
  const { page, perPage } = list;
  const base = controller.listUrl;
  const asked = controller.params.string("per_page") ? perPage : undefined;
  return pager({
    page,
    perPage,
    total,
    pages: Math.max(1, Math.ceil(total / perPage)),
    url: (to) => base + listQuery(list, { page: to === 1 ? undefined : to, per_page: asked }),
    t: (key, vars) => controller.t(key, vars),
  });
}
