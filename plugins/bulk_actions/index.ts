import type { Reply } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import { bulkActionsOf } from "./bulk_action.ts";
import { describeBulk } from "./describe_bulk.ts";
import { addSelection } from "./list_selection.ts";
import { bulkPath } from "./selection.ts";

export { type BulkAction, bulkActionsOf } from "./bulk_action.ts";

declare module "framewright/kernel" {
  interface Slots {
    bulk_actions: {};
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** An action on rows of the list that were selected. */
    bulkAction(): Promise<Reply>;
    runBulkAction(): Promise<Reply>;
  }
}

const run = () => import("./run_bulk.ts"); // loaded with the first

/** Rows of lists that are selected for an action: `this.action("publish", { interaction: Publish, bulk: true })`. */
export function bulkActions(): Plugin {
  return definePlugin({
    name: "bulk_actions",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources"],
    provides: "bulk_actions",
    apply({ services: { resources }, hooks, tap }) {
      resources.addActions({
        bulkAction: async (controller) => (await run()).showBulk(controller),
        runBulkAction: async (controller) => (await run()).runBulk(controller),
      });
      hooks.resources.place.tap("bulk_actions", ({ about, base, single, draw }) => {
        if (single || bulkActionsOf(about.registration).length === 0) return;
        const path = `${base}/${bulkPath(":action_key")}`;
        draw("GET", path, { action: "bulkAction", policy: "(by action)" });
        draw("POST", path, { action: "runBulkAction", policy: "(by action)" });
      });
      tap(hooks.resources.listRows, addSelection);
      if (hooks.openapi) describeBulk(hooks.openapi.operation);
    },
  });
}
