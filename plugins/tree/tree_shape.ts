import { notFound } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import {
  type Entry,
  ListReader,
  type ListRequest,
  type ListShape,
  type ShapePage,
} from "framewright/plugins/resources/toolkit";
import { type Branch, branchOf } from "./branch.ts";
import { drawTree } from "./draw_tree.ts";
import type { Tree } from "./tree_options.ts";

const MAX_FACTS = 3;
/** Records above the one whose branch is shown. */
const MAX_PATH = 20;

type Page = ShapePage["page"];
type ReadPage = (list: ListRequest) => Promise<Page>;

/** The shape of a list with a tree. */
export function treeShape(controller: ResourceRequest, tree: Tree): ListShape {
  let branch: Branch = { parent: tree.parent.name, path: [], isWhole: true, below: new Map(), isFlat: false };
  return {
    label: controller.t("resource.shapes.tree"),
    icon: "binary-tree",
    names: (list, listed) => {
      const shown = list.columns ?? tree.facts ?? listed;
      return [...shown.filter((name) => name !== tree.parent.name).slice(0, MAX_FACTS + 1), tree.parent.name];
    },
    async read(list, read) {
      const key = branchOf(list);
      const isFlat = key === undefined && (list.search !== undefined || list.filters.size > 0);
      const within = isFlat
        ? undefined
        : key === undefined
          ? roots(controller, tree)
          : rightBelow(controller, tree, key);
      const path = key === undefined ? [] : await pathTo(controller, tree, list, read, key);
      const page = await read({ ...list, ...(within ? { within } : {}) });
      const isWhole = (path[0]?.column(tree.column) ?? null) === null;
      const below = await countBelow(controller, tree, page.entries);
      branch = { parent: tree.parent.name, path, isWhole, isFlat, below };
      return page;
    },
    draw: (view) => drawTree(controller, view, branch),
  };
}

const columnOf = ({ registration: { model } }: ResourceRequest, { column }: Tree) => `${model.table}.${column}`;

/** Records with none above them, or none that the person may see. */
function roots(controller: ResourceRequest, tree: Tree) {
  const column = columnOf(controller, tree);
  const reader = new ListReader(controller, controller.registration);
  const { model } = controller.registration;
  const visible = reader.visible(model)?.select(`${model.table}.${model.primaryKey}`);
  return (rows: Query<BaseModel>) =>
    rows.where((one) => {
      one.whereNull(column);
      if (visible) one.orWhereNotIn(column, visible.clone() as never);
    });
}

/** Records right below one. @throws HttpError 404 for what is no key */
function rightBelow(controller: ResourceRequest, tree: Tree, key: string) {
  const parsed = controller.registration.model.key.parse(key);
  if (parsed === undefined) throw notFound();
  return (rows: Query<BaseModel>) => rows.where(columnOf(controller, tree), parsed as never);
}

/** The record of a branch and those above it, as far as the person may see them. @throws HttpError 404 */
async function pathTo(
  controller: ResourceRequest,
  tree: Tree,
  list: ListRequest,
  read: ReadPage,
  key: string,
): Promise<Entry[]> {
  const { model } = controller.registration;
  const path: Entry[] = [];
  let next: unknown = model.key.parse(key);
  while (next !== undefined && next !== null && path.length < MAX_PATH) {
    const wanted = next;
    const plain = {
      ...list,
      search: undefined,
      filters: new Map(),
      scope: undefined,
      page: 1,
      after: undefined,
      perPage: 1,
    };
    const { entries } = await read({
      ...plain,
      within: (rows) => void model.key.where(rows, wanted as never),
    } as ListRequest);
    const [entry] = entries;
    if (!entry) break;
    path.unshift(entry);
    next = entry.column(tree.column);
  }
  if (path.length === 0) throw notFound();
  return path;
}

async function countBelow(
  controller: ResourceRequest,
  tree: Tree,
  entries: readonly Entry[],
): Promise<Map<string, number>> {
  if (entries.length === 0) return new Map();
  const { resources, request } = controller;
  const column = columnOf(controller, tree);
  const query = controller.visibleRecords(resources.database.replicaFor(request));
  const rows = query
    .whereIn(
      column,
      entries.map(({ id }) => id as string),
    )
    .select(`${column} as fw_parent`)
    .toKnexQuery();
  const knex = query.knex();
  const counted = (await knex
    .from(rows.as("fw_rows") as never)
    .select("fw_parent", knex.raw("count(*) as ??", ["fw_count"]))
    .groupBy("fw_parent")) as { fw_parent: unknown; fw_count: unknown }[];
  return new Map(counted.map(({ fw_parent, fw_count }) => [String(fw_parent), Number(fw_count)]));
}
