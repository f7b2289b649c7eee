import type { Reply } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/mcp";
import { createView, deleteView } from "./answers.ts";
import { answerDefault, setDefaultView } from "./default_view.ts";
import { describeViews } from "./describe_views.ts";
import { SavedViewStore } from "./store.ts";
import { addViewTabs } from "./tabs.ts";

declare module "framewright/kernel" {
  interface Slots {
    saved_views: { service: SavedViews };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** Keeps the list of the address under a name, for the person. */
    createView(): Promise<Reply>;
    deleteView(): Promise<Reply>;
    /** Makes a view what the list is opened with, for the person or a role. */
    setDefaultView(): Promise<Reply>;
  }
}

/** The service of the slot "saved_views": all statements on its tables. */
export interface SavedViews extends Pick<SavedViewStore, keyof SavedViewStore> {}

/** Views of lists that people keep, in a table of `fw:saved_views:install`. */
export function savedViews(): Plugin {
  return definePlugin({
    name: "saved_views",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources"],
    provides: "saved_views",
    apply({ services: { database, resources }, hooks }) {
      resources.addActions({ createView, deleteView, setDefaultView });
      hooks.resources.listOpening.tapPromise("saved_views", answerDefault);
      hooks.resources.listHead.tapPromise("saved_views", addViewTabs);
      hooks.resources.place.tap("saved_views", ({ about, base, single, draw }) => {
        if (single || about.parent) return;
        draw("POST", `${base}/views`, { action: "createView", policy: "canIndex" });
        draw("POST", `${base}/views/:view_id/delete`, { action: "deleteView", policy: "(owner)" });
        draw("POST", `${base}/views/:view_id/default`, { action: "setDefaultView", policy: "(owner)" });
      });
      if (hooks.openapi) describeViews(hooks.openapi.operation);
      // how a person likes to see lists is nothing for agents
      hooks.mcp?.offered.tap("saved_views", ({ route }) => (route.plugin === "saved_views" ? false : undefined));
      hooks.personal_data?.sources.tap("saved_views", (sources) => {
        const shown = ["resource", "portal", "tenant", "name", "query", "shared", "created_at"];
        const parts = [{ table: "framewright_default_views", column: "view_id" }];
        sources.table({ name: "saved_views", table: "framewright_saved_views", shown, erase: "delete", parts });
        sources.table({ name: "default_views", table: "framewright_default_views", erase: "delete" });
      });
      return new SavedViewStore(database);
    },
  });
}
