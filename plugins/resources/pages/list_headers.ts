import type { SortLink } from "framewright/plugins/fields";
import { header } from "framewright/plugins/fields/toolkit";
import type { ListRequest } from "../registration/list_params.ts";
import { hrefOf } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { HOLES } from "./holes.ts";
import type { ListColumn } from "./list_parts.ts";
import type { ListUrls } from "./list_urls.ts";

/** A list of names, compiled. */
export interface ListPlan {
  columns: readonly ListColumn[];
  /** The headers, by direction, place in the order and column, cut where their addresses are. */
  headers: Map<string, readonly [before: string, after: string]>;
}

/** The headers of the columns; each leads to the list sorted by it, where it can be; into a Turbo frame where one is named. */
export function headersOf(
  controller: ResourceRequest,
  plan: ListPlan,
  list: ListRequest,
  urls: Pick<ListUrls, "sort">,
  frame?: string,
): string {
  const { sorts } = list;
  let out = "";
  for (const column of plan.columns) {
    const at = sorts.findIndex(({ name }) => name === column.name);
    const direction = sorts[at]?.direction;
    const place = sorts.length > 1 ? at + 1 : 0;
    const [before, after] = headerOf(controller, plan, column, { direction, place, frame });
    const url = column.sortable ? hrefOf(urls.sort(column.name, direction === "asc" ? "desc" : "asc")) : "";
    out += before + url + after;
  }
  return out;
}

/** A header, cut where its address is; drawn once for each plan. */
function headerOf(
  controller: ResourceRequest,
  { headers }: ListPlan,
  column: ListColumn,
  { direction, place, frame }: { direction: "asc" | "desc" | undefined; place: number; frame: string | undefined },
): readonly [string, string] {
  const key = `${direction} ${place} ${column.name}`;
  const known = headers.get(key);
  if (known) return known;
  const sort: SortLink | undefined = column.sortable
    ? {
        url: HOLES.url,
        ...(direction ? { direction } : {}),
        ...(place > 0 ? { place } : {}),
        ...(frame === undefined ? {} : { frame }),
      }
    : undefined;
  const drawn = header(column, sort, (text, vars) => controller.t(text, vars)).html;
  const [before = "", after = ""] = drawn.split(HOLES.url);
  headers.set(key, [before, after]);
  return [before, after];
}
