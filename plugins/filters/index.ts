import type { Reply } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { addBar } from "./bar.ts";
import { listOptions } from "./list_options.ts";
import { OPTIONS } from "./option.ts";

declare module "framewright/kernel" {
  interface Slots {
    filters: {};
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** What is opened at the head of a list: a filter, its columns, how it is displayed. */
    listOptions(): Promise<Reply>;
  }
}

/** Filters, columns and the order of lists, as each person chooses them at their head. */
export function filters(): Plugin {
  return definePlugin({
    name: "filters",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "resources"],
    uses: ["scoping"],
    provides: "filters",
    apply({ services: { database, resources, scoping }, hooks, tap }) {
      resources.addActions({ listOptions });
      hooks.resources.place.tap("filters", ({ base, single, draw }) => {
        if (!single) draw("GET", base + OPTIONS, { action: "listOptions", policy: "canIndex" });
      });
      tap(hooks.resources.listHead, addBar);
      hooks.host.explain.tapPromise("filters", async (findings, all) => {
        const { examineLists } = await import("./indexes/examine_lists.ts");
        findings.push(...(await examineLists({ database, resources, scoping }, all)));
      });
    },
  });
}
