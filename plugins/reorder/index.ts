import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { describeOrder } from "./describe_order.ts";
import { moveRecord } from "./move_record.ts";
import { addPosition } from "./next_position.ts";
import { addMoves } from "./order_cells.ts";

declare module "framewright/kernel" {
  interface Slots {
    reorder: {};
  }
}

/** The library that drags rows. */
const dragLibrary = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve("@tabler/core/package.json")),
    "dist/libs/sortablejs/Sortable.min.js",
  );

/** Rows of lists that are moved up and down: `this.reorder("position")`. */
export function reorder(): Plugin {
  return definePlugin({
    name: "reorder",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "resources"],
    provides: "reorder",
    apply({ services: { assets }, hooks, tap }) {
      assets.add("order.js", join(import.meta.dirname, "client/order.js"));
      assets.add("sortable.js", dragLibrary());
      hooks.resources.place.tap("reorder", ({ about, member, single, draw }) => {
        if (single || about.registration.definition.reorderedBy === undefined) return;
        draw("POST", `${member}/order`, { action: "update", policy: "canUpdate", answer: moveRecord });
      });
      if (hooks.openapi) describeOrder(hooks.openapi.operation);
      hooks.resources.listRows.tap("reorder", addMoves);
      tap(hooks.resources.creating, (columns, controller) => addPosition(controller, columns));
    },
  });
}
