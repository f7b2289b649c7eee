import { type BaseController, logPart } from "framewright/host";
import type { SyncHook } from "framewright/kernel";
import { errors } from "./errors.ts";

/** The path of the frames of badges, below a portal. */
export const BADGE_PATH = "/_badge";
/** The short text at the end of a line of the sidebar. */
export type Badge = string | number;
/** A line of a portal's sidebar. */
export interface NavigationItem {
  label: string;
  url: string;
  /** A name of @tabler/icons. */
  icon?: string;
  active?: boolean;
  /** 50 by default; equal ones are in the order in which they were added. */
  order?: number;
  /**
   * A short text at its end, as a number. What takes a query is a function: the browser loads it once the page is shown, and
   * without scripts the line has no badge. Undefined: none.
   */
  badge?: Badge | ((controller: BaseController) => Badge | undefined | Promise<Badge | undefined>);
  /** Set for a badge that is a function: the address of its frame, and the end of the frame's id. */
  badge_frame?: { url: string; key: string };
  /** The heading that it is listed under, as "Content"; without one it comes before the groups. */
  group?: string;
}
/** A line in the place of those that a plugin could not add. */
export function addFailedLine(
  items: { label: string; url: string; icon?: string }[],
  controller: BaseController,
): void {
  const url = controller.request.mountPath || "/"; // it may not be taken for the line of this page
  items.push({ label: controller.t("framework.part_failed"), url, icon: "alert-triangle" });
}
/** The lines of a sidebar under one heading. */
export interface NavigationGroup {
  heading: string;
  items: NavigationItem[];
}

/** The lines that plugins add, with an address. */
export function linesOf(
  controller: BaseController,
  hook: SyncHook<[items: NavigationItem[], controller: BaseController]>,
): NavigationItem[] {
  const items: NavigationItem[] = [];
  hook.call(items, controller);
  if (items.some(({ url }) => !url)) leaveOutUnlinked(items, controller);
  return items;
}

/**
 * The sidebar: the portal's root page, then the plugins' items, then the groups in the order of their first items. The item
 * with the longest matching URL is active.
 */
export function navigationOf(
  controller: BaseController,
  hook: SyncHook<[items: NavigationItem[], controller: BaseController]>,
): (NavigationItem | NavigationGroup)[] {
  const { request } = controller;
  const items: NavigationItem[] = [];
  const { paths } = request.application;
  const owner = request.engine?.name;
  if (paths.has(owner, "root")) {
    items.push({
      label: controller.t(controller.currentUser === undefined ? "framework.home" : "framework.dashboard"),
      url: paths.path(owner, "root", [], request),
      icon: "home",
    });
  }
  const lines = linesOf(controller, hook);
  if (lines.some(({ order }) => order !== undefined)) lines.sort((a, b) => orderOf(a) - orderOf(b));
  items.push(...lines.map((line) => withBadgeFrame(line, controller)));
  const active = longestMatch(items, request.path, paths.has(owner, "root") ? items[0]?.url : undefined);
  if (active) active.active = true;
  return items.some(({ group }) => group !== undefined) ? grouped(items) : items;
}

/** A line whose badge is a function has the frame in its place that calls it. */
function withBadgeFrame(line: NavigationItem, { request }: BaseController): NavigationItem {
  if (typeof line.badge !== "function") return line;
  const { badge: _, ...others } = line;
  const url = `${request.mountPath}${BADGE_PATH}?line=${encodeURIComponent(line.url)}`;
  return { ...others, badge_frame: { url, key: line.url.replaceAll(/[^\w-]+/g, "-") } };
}

const orderOf = ({ order = 50 }: NavigationItem): number => order;

/** A line without an address leads nowhere: it is logged by its label. */
function leaveOutUnlinked(items: NavigationItem[], controller: BaseController): void {
  const all = items.splice(0);
  for (const item of all)
    if (item.url) items.push(item);
    else {
      const error = errors.FW_NAVIGATION_URL(String(item.label));
      logPart(controller, error, error);
    }
}

/** The first of those with the longest URL that the path is, or lies below; everything lies below the root, which is no reason to mark it. */
function longestMatch(
  items: readonly NavigationItem[],
  path: string,
  root: string | undefined,
): NavigationItem | undefined {
  let longest: NavigationItem | undefined;
  for (const item of items) {
    const { url } = item;
    const fits = path === url || (url !== root && path.startsWith(url) && path[url.length] === "/");
    if (fits && (!longest || url.length > longest.url.length)) longest = item;
  }
  return longest;
}

function grouped(items: readonly NavigationItem[]): (NavigationItem | NavigationGroup)[] {
  const groups = new Map<string, NavigationItem[]>();
  const alone: NavigationItem[] = [];
  for (const item of items) {
    if (item.group === undefined) alone.push(item);
    else groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  }
  return [...alone, ...[...groups].map(([heading, lines]) => ({ heading, items: lines }))];
}
