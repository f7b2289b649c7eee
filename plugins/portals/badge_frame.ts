import type { BaseController } from "framewright/host";
import type { NavigationItem } from "./navigation.ts";

/** Below a portal: where badges that take a query are loaded from. */
export const BADGE_PATH = "/_badge";

/** A line whose badge is a function has the frame in its place that calls it. */
export function withBadgeFrame(line: NavigationItem, { request }: BaseController): NavigationItem {
  if (typeof line.badge !== "function") return line;
  const { badge: _, ...others } = line;
  const url = `${request.mountPath}${BADGE_PATH}?line=${encodeURIComponent(line.url)}`;
  return { ...others, badge_frame: { url, key: line.url.replaceAll(/[^\w-]+/g, "-") } };
}
