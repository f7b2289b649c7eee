import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import { describeSearch } from "./describe_search.ts";
import { drawSearch, searchUrl } from "./search_page.ts";

export type { Found, FoundGroup } from "./find_everywhere.ts";

declare module "framewright/kernel" {
  interface Slots {
    search: {};
  }
}

/** The search of a portal: a page that looks in all of its lists, and a dialog that Ctrl+K opens. */
export function search(): Plugin {
  return definePlugin({
    name: "search",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "views", "assets", "portals", "resources"],
    provides: "search",
    apply({ services: { host, assets }, hooks }) {
      const drawn = new Set<string>(); // the portals that have the page
      assets.add("palette.js", join(import.meta.dirname, "client/palette.js"));
      hooks.resources.portal.tap("search", (routes) => drawSearch(host, routes, drawn));
      if (hooks.openapi) describeSearch(hooks.openapi.operation);
      hooks.host.page.tap("search", (locals, controller) => {
        locals.search_url = searchUrl(drawn, controller);
      });
    },
  });
}
