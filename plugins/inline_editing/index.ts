import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { editCell, updateCell } from "./answers.ts";
import { drawCellRoutes, wrapEditedCells } from "./edited_cells.ts";

declare module "framewright/kernel" {
  interface Slots {
    inline_editing: {};
  }
}

/** Cells of lists that are edited in their place: `this.column("status", { edit: true })`. */
export function inlineEditing(): Plugin {
  return definePlugin({
    name: "inline_editing",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "resources"],
    provides: "inline_editing",
    apply({ services: { assets }, hooks }) {
      assets.add("cells.js", join(import.meta.dirname, "client/cells.js"));
      hooks.resources.place.tap("inline_editing", (place) => drawCellRoutes(place, { editCell, updateCell }));
      hooks.resources.listRows.tap("inline_editing", wrapEditedCells);
    },
  });
}
