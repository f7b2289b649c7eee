import { notFound } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { applyList, type ListRequest, listContextOf, type ShapePage } from "framewright/plugins/resources/toolkit";
import { valuesOf } from "./grouping_options.ts";

/** The parameter of the one group that a page has. */
export const GROUP = "group";
/** The groups of a page, the largest, where they are no choices. */
const MAX_GROUPS = 20;
/** The rows of each that a page with all groups has. */
const FIRST_ROWS = 10;

type Page = ShapePage["page"];

/** The rows of a list with one value. */
export interface Group {
  /** Null for the rows without a value. */
  readonly value: unknown;
  readonly page: Page;
  readonly within: (rows: Query<BaseModel>) => unknown;
}
/** The groups of a list. */
export interface Groups {
  readonly by: string;
  readonly groups: readonly Group[];
  /** How many groups there are that are not shown. */
  readonly more: number;
}

/** Reads the groups of a list with their first rows, or the rows of the one that the address names. @throws HttpError 404 */
export async function readGroups(
  controller: ResourceRequest,
  by: string,
  list: ListRequest,
  read: (list: ListRequest) => Promise<Page>,
): Promise<Groups> {
  const { params, registration } = controller;
  const { model } = registration;
  const column = model.associations.get(by)?.key.column ?? by;
  const asked = params.has(GROUP) ? (params.string(GROUP) ?? "") : undefined;
  const values = await readValues(controller, list, column);
  const shown = asked === undefined ? values.slice(0, MAX_GROUPS) : values.filter((value) => keyOf(value) === asked);
  if (asked !== undefined && shown.length === 0) throw notFound();
  const one = asked === undefined ? { page: 1, after: undefined, perPage: FIRST_ROWS } : {};
  const groups = await Promise.all(
    shown.map(async (value) => {
      const within = (rows: Query<BaseModel>) =>
        value === null
          ? rows.whereNull(`${model.table}.${column}`)
          : rows.where(`${model.table}.${column}`, value as string);
      return { value, within, page: await read({ ...list, ...one, within }) };
    }),
  );
  return { by, groups, more: asked === undefined ? values.length - shown.length : 0 };
}

/** The value of a group as its address has it. */
export const keyOf = (value: unknown): string => (value === null ? "" : String(value));

/** The values that the rows of the list have: choices in their order, others by the number of rows, none last. */
async function readValues(controller: ResourceRequest, list: ListRequest, column: string): Promise<unknown[]> {
  const { registration, resources, request } = controller;
  const { model } = registration;
  const query = controller.visibleRecords(resources.database.replicaFor(request));
  applyList(query, list, registration, listContextOf(controller));
  const knex = query.knex();
  const rows = query.select(`${model.table}.${column} as fw_value`).toKnexQuery();
  const found = (await knex
    .from(rows.as("fw_rows") as never)
    .select("fw_value", knex.raw("count(*) as ??", ["fw_count"]))
    .groupBy("fw_value")
    .orderBy([{ column: "fw_count", order: "desc" }, "fw_value"])) as { fw_value: unknown }[];
  const values = found.map(({ fw_value: value }) => value);
  const order = valuesOf(model, column);
  const place = (value: unknown): number => {
    if (value === null) return Number.POSITIVE_INFINITY;
    const at = order.indexOf(String(value));
    return at === -1 ? order.length : at;
  };
  return values
    .map((value, at) => ({ value, at }))
    .sort((a, b) => place(a.value) - place(b.value) || a.at - b.at)
    .map(({ value }) => value);
}

/** All rows of the groups, as one page. */
export function wholePage({ groups }: Groups): Page {
  const total = groups.reduce((sum, { page }) => sum + page.total, 0);
  return { entries: groups.flatMap(({ page }) => page.entries), total, capped: groups.some(({ page }) => page.capped) };
}
