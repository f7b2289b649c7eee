import { notFound, unprocessable } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { cursorAfter, type ListRequest, type ShapePage } from "framewright/plugins/resources/toolkit";
import type { Board } from "./board_options.ts";

/** The parameter of the one column that a page of the board has, further down than its first cards. */
export const LANE = "lane";
/** The parameter of the one card that a page of the board has. */
export const CARD = "card";

type Page = ShapePage["page"];
type ReadPage = (list: ListRequest) => Promise<Page>;

/** A column of a board. */
export interface Lane {
  /** Null for the records without a value. */
  readonly value: string | null;
  readonly page: Page;
  /** Where the cards after these are: the cursor, or the number of the page; undefined for none. */
  readonly next: string | number | undefined;
}

/** Reads the first cards of each column; of one column those that are requested; or one card. @throws HttpError 404, 422 */
export function readLanes(
  controller: ResourceRequest,
  board: Board,
  list: ListRequest,
  read: ReadPage,
): Promise<readonly Lane[]> {
  const { params } = controller;
  if (params.has(CARD)) return readCard(controller, board, list, read);
  const all: readonly (string | null)[] = board.hasNone ? [null, ...board.values] : board.values;
  const asked = params.has(LANE) ? (params.string(LANE) ?? "") : undefined;
  const values = asked === undefined ? all : all.filter((value) => (value ?? "") === asked);
  if (values.length === 0) throw unprocessable(`${LANE} is no column of this board.`, { [LANE]: ["is no column"] });
  const begins = asked === undefined ? { page: 1, after: undefined } : {};
  return Promise.all(
    values.map(async (value) => {
      const page = await read({ ...list, ...begins, within: within(controller, board, value) });
      return { value, page, next: await nextOf(controller, { ...list, ...begins }, page) };
    }),
  );
}

/** The condition of a column. */
function within({ registration: { model } }: ResourceRequest, { by }: Board, value: string | null) {
  const column = `${model.table}.${by}`;
  return (rows: Query<BaseModel>) => (value === null ? rows.whereNull(column) : rows.where(column, value));
}

async function readCard(
  controller: ResourceRequest,
  { by }: Board,
  list: ListRequest,
  read: ReadPage,
): Promise<readonly Lane[]> {
  const { model } = controller.registration;
  const key = model.key.parse(controller.params.string(CARD) ?? "");
  if (key === undefined) throw notFound();
  const page = await read({ ...list, page: 1, after: undefined, within: (rows) => void model.key.where(rows, key) });
  return page.entries.map((entry) => ({ value: (entry.column(by) ?? null) as string | null, page, next: undefined }));
}

async function nextOf(
  controller: ResourceRequest,
  list: ListRequest,
  page: Page,
): Promise<string | number | undefined> {
  const { entries, total, hasMore } = page;
  const last = entries.at(-1);
  const position = (list.after?.position ?? (list.page - 1) * list.perPage) + entries.length;
  if (!last || !(hasMore ?? total > position)) return undefined;
  return (await cursorAfter(controller, list, last, position)) ?? list.page + 1;
}

/** What a board has as one page: all of its cards. */
export function wholePage(lanes: readonly Lane[]): Page {
  const total = lanes.reduce((sum, { page }) => sum + page.total, 0);
  return { entries: lanes.flatMap(({ page }) => page.entries), total, capped: lanes.some(({ page }) => page.capped) };
}
