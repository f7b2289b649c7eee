import { definePlugin, type Plugin } from "framewright/kernel";
import { densityForm, drawDensity, isCompact } from "./density.ts";

declare module "framewright/kernel" {
  interface Slots {
    density: {};
  }
}

/** Low rows in lists, as each person chooses in their browser. */
export function density(): Plugin {
  return definePlugin({
    name: "density",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "portals", "resources"],
    provides: "density",
    apply({ services: { host }, hooks }) {
      const drawn = new Set<string>(); // the portals where it is chosen
      hooks.resources.portal.tap("density", (routes) => drawDensity(host, routes, drawn));
      hooks.resources.table.tap("density", (look, controller) => {
        look.isCompact ||= isCompact(controller);
      });
      hooks.resources.filterPanel.tapPromise("density", async (parts, location, controller) => {
        if (controller.request.kernel.has("list_settings"))
          await controller.request.kernel.service("list_settings").read(controller);
        const form = densityForm(drawn, controller, location);
        if (form) parts.push(form);
      });
    },
  });
}
