import type { BaseController } from "framewright/host";
import type { SyncHook } from "framewright/kernel";

/** A line of a portal's sidebar. */
export interface NavigationItem {
  label: string;
  url: string;
  /** A name of @tabler/icons. */
  icon?: string;
  active?: boolean;
}

/** The sidebar: the portal's root page, then the plugins' items. The item with the longest matching URL is active. */
export function navigationOf(
  controller: BaseController,
  hook: SyncHook<[items: NavigationItem[], controller: BaseController]>,
): NavigationItem[] {
  const { request } = controller;
  const items: NavigationItem[] = [];
  const { paths } = request.application;
  const owner = request.engine?.name;
  if (paths.has(owner, "root")) {
    items.push({
      label: controller.t("framework.dashboard"),
      url: paths.path(owner, "root", [], request),
      icon: "home",
    });
  }
  hook.call(items, controller);
  const fitting = items.filter(({ url }) => request.path === url || request.path.startsWith(`${url}/`));
  const active = fitting.sort((a, b) => b.url.length - a.url.length)[0];
  if (active) active.active = true;
  return items;
}
