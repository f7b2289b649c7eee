import { join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import { refuseCycles } from "./refuse_cycles.ts";
import { settleTree, treeMacro, treeOf } from "./tree_options.ts";
import { treeShape } from "./tree_shape.ts";

export type { TreeOptions } from "./tree_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    tree: {};
  }
}

/** As the address of a list has it. */
const KEY = "tree";
const STYLES = "tree.css";

/** Lists as trees, of records that belong to one of their own kind: `?shape=tree`. */
export function tree(): Plugin {
  return definePlugin({
    name: "tree",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    provides: "tree",
    apply({ services: { assets, layout, resources }, hooks }) {
      assets.add(STYLES, join(import.meta.dirname, "client/tree.css"));
      layout.head.add(({ params }) =>
        params.string("shape")?.split(".", 1)[0] === KEY
          ? raw(`<link rel="stylesheet" href="${assets.url(STYLES)}">`)
          : undefined,
      );
      resources.registry.definitionMacros.define("tree", "tree", treeMacro);
      const parents = new Map<ModelInfo, string>();
      hooks.resources.define.tap("tree", (definition, { model }) => {
        const found = settleTree(definition, model);
        if (found) parents.set(model, found.column);
      });
      hooks.database.changing.tapPromise("tree", async (change) => {
        const column = parents.get(change.model);
        if (column !== undefined) await refuseCycles(column, change);
      });
      hooks.resources.listShapes.tap("tree", (shapes, permitted, controller) => {
        const found = treeOf(controller.registration);
        if (found && permitted.includes(found.parent.name)) shapes.add(KEY, treeShape(controller, found));
      });
    },
  });
}
