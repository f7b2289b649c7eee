import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { addToOrigin, notFound, type Reply, raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { moveField } from "framewright/plugins/cards";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
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

/** Each plugin serves it for itself, under a name of its own. */
const dragLibrary = (): string =>
  join(
    dirname(createRequire(import.meta.url).resolve("@tabler/core/package.json")),
    "dist/libs/sortablejs/Sortable.min.js",
  );

/** `POST <record>/tree` with the key of the record above: an update of that one field. @throws HttpError 404, 409, 422 for programs */
async function moveRecord(controller: ResourceRequest, record: BaseModel): Promise<Reply> {
  addToOrigin({ means: "move" });
  const found = treeOf(controller.registration);
  if (!found) throw notFound();
  return moveField(controller, record, { by: found.parent.name, stale: controller.t("resource.tree.stale") });
}

/** Lists as trees, of records that belong to one of their own kind: `?shape=tree`. */
export function tree(): Plugin {
  return definePlugin({
    name: "tree",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "resources"],
    provides: "tree",
    apply({ services: { assets, layout, resources }, hooks }) {
      assets.add(STYLES, join(import.meta.dirname, "client/tree.css"));
      assets.add("tree_drag.js", dragLibrary());
      assets.add("tree.js", join(import.meta.dirname, "client/tree.js"));
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
      hooks.resources.place.tap("tree", ({ about, member, single, draw }) => {
        if (single || !treeOf(about.registration)) return;
        draw("POST", `${member}/tree`, { action: "update", policy: "canUpdate", answer: moveRecord });
      });
      hooks.resources.listShapes.tap("tree", (shapes, permitted, controller) => {
        const found = treeOf(controller.registration);
        if (found && permitted.includes(found.parent.name)) shapes.add(KEY, treeShape(controller, found));
      });
    },
  });
}
