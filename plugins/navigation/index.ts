import { definePlugin, type Plugin } from "framewright/kernel";
import { navigationMacro } from "./navigation_options.ts";
import { placeLines } from "./place_lines.ts";

export type { NavigationOptions } from "./navigation_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    navigation: {};
  }
}

/** The order of resources in the sidebar, and badges with counts: `this.navigation({ order: 10, badge: true })`. */
export function navigation(): Plugin {
  return definePlugin({
    name: "navigation",
    requires: ["portals", "resources"],
    provides: "navigation",
    apply({ services: { resources }, hooks }) {
      resources.registry.definitionMacros.define("navigation", "navigation", navigationMacro);
      hooks.portals.navigation.tap("navigation", (lines, controller) => placeLines(resources, lines, controller));
    },
  });
}
