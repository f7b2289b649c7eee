import { join } from "node:path";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { SyncBailHook } from "tapable";
import { checkParser } from "./compiler/check.ts";
import { standardFilters } from "./filters.ts";
import { openViews, type ViewHooks, type Views } from "./service.ts";

export { unwrap } from "./drops.ts";
export { hinted } from "./filter_hints.ts";
export type { Filter, FilterScope } from "./filters.ts";
export { hasIcon, icon, iconOrNothing, iconSheet, iconUse } from "./icons.ts";
export type { TemplateWay, ViewHooks, ViewRequest, Views } from "./service.ts";
export type { ViewRoot } from "./template_finder.ts";
export { dateTag, timeTag, toInstant } from "./times.ts";

declare module "framewright/kernel" {
  interface Slots {
    views: { service: Views; hooks: ViewHooks };
  }
}

export interface ViewOptions {
  /** Parses each template once and never looks again; by default in production only. */
  cache?: boolean;
  /** Makes a function of each template; false, or FW_VIEWS_COMPILE=off in the environment: liquidjs renders them all. */
  compile?: boolean;
}

/** Pages from Liquid templates, looked up application → portal package → plugin → framework. */
export function views(options: ViewOptions = {}) {
  checkOptions("views", options, { cache: option.boolean, compile: option.boolean });
  return definePlugin({
    name: "views",
    requires: ["i18n"],
    provides: "views",
    hooks: () => ({ render: new SyncBailHook(["view"]) as ViewHooks["render"] }),
    apply({ services, hooks, settings }) {
      const production = settings.env === "production";
      const filters = standardFilters(services.i18n, !production);
      const compile = (options.compile ?? true) && process.env.FW_VIEWS_COMPILE !== "off";
      if (compile) checkParser();
      const service = openViews(hooks.views, filters, { watch: !(options.cache ?? production), compile });
      const report = (err: unknown) => services.host?.log.warn({ err }, "a template was not compiled ahead");
      if (production && compile) hooks.host?.listening.tap("views", () => service.warm(report));
      if (settings.root !== undefined)
        service.addRoot({ directory: join(settings.root, "app/views"), rank: "application" });
      return service;
    },
  });
}
