import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { describeMove, moveField } from "framewright/plugins/cards";
import { calendarMacro, calendarOf, checkCalendar } from "./calendar_options.ts";
import { KEY } from "./period.ts";
import { calendarShape } from "./shape.ts";

export type { CalendarOptions } from "./calendar_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    calendar: {};
  }
}

/** The library that drags entries; `reorder()` and `boards()` add it under names of their own. */
const dragLibrary = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve("@tabler/core/package.json")),
    "dist/libs/sortablejs/Sortable.min.js",
  );

/** Lists as calendars, by a column of days or times: `this.calendar({ on: "due_on" })`. */
export function calendar(): Plugin {
  return definePlugin({
    name: "calendar",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    provides: "calendar",
    apply({ services: { assets, layout, resources }, hooks }) {
      assets.add("calendar.css", join(import.meta.dirname, "client/calendar.css"));
      assets.add("calendar_drag.js", dragLibrary());
      assets.add("calendar.js", join(import.meta.dirname, "client/calendar.js"));
      layout.head.add(({ params }) => {
        const shape = params.get("shape");
        const isShown = typeof shape === "string" && shape.split(".", 1)[0] === KEY;
        return isShown ? raw(`<link rel="stylesheet" href="${assets.url("calendar.css")}">`) : undefined;
      });
      resources.registry.definitionMacros.define("calendar", "calendar", calendarMacro);
      hooks.resources.define.tap("calendar", (definition, { model }) => checkCalendar(definition, model));
      hooks.resources.place.tap("calendar", ({ about, member, single, draw }) => {
        const found = single ? undefined : calendarOf(about.registration);
        if (!found) return;
        draw("POST", `${member}/calendar`, {
          action: "update",
          policy: "canUpdate",
          answer: (controller, record) =>
            moveField(controller, record, { by: found.on.name, stale: controller.t("resource.calendar.stale") }),
        });
      });
      hooks.openapi?.operation.tap("calendar", (route) => {
        const found = route.about?.answer && calendarOf(route.about.registration);
        if (!found || !route.route.pattern.endsWith("/calendar")) return undefined;
        return describeMove(route, { by: found.on.name, verb: "reschedule", summary: "Move a record to another day" });
      });
      hooks.resources.listShapes.tap("calendar", (shapes, permitted, controller) => {
        const found = calendarOf(controller.registration);
        if (!found || !permitted.includes(found.on.name)) return;
        const to = found.to && permitted.includes(found.to.name) ? found.to : undefined; // who may not see the end sees one day
        shapes.add(KEY, calendarShape(controller, { ...found, to }));
      });
    },
  });
}
