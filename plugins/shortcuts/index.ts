import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { drawKeys, keysUrl } from "./keys_page.ts";

declare module "framewright/kernel" {
  interface Slots {
    shortcuts: {};
  }
}

/** Shortcuts of the keyboard on the pages of portals, and a page that lists them. */
export function shortcuts(): Plugin {
  return definePlugin({
    name: "shortcuts",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "views", "assets", "portals", "resources"],
    provides: "shortcuts",
    apply({ services: { host, assets }, hooks }) {
      const drawn = new Set<string>(); // the portals that have the page
      assets.add("keys.js", join(import.meta.dirname, "client/keys.js"));
      hooks.resources.portal.tap("shortcuts", (routes) => drawKeys(host, routes, drawn));
      hooks.host.page.tap("shortcuts", (locals, controller) => {
        locals.keys_url = keysUrl(drawn, controller);
      });
    },
  });
}
