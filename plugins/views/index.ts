import { join } from "node:path";
import { checkOptions, definePlugin, option, SyncBailHook } from "framewright/kernel";
import { checkParser } from "./compiler/check.ts";
import type { ViewHooks } from "./contract.ts";
import { standardFilters } from "./filters.ts";
import { RenderSlotDrop } from "./render_slots.ts";
import { openViews } from "./service.ts";

export type {
  FoundTemplate,
  RenderedTemplate,
  TemplateMode,
  TemplateSource,
  ViewHooks,
  ViewRequest,
  ViewRoot,
  Views,
} from "./contract.ts";
export { conventionalIcon } from "./conventional_icons.ts";
export { unwrap } from "./drops.ts";
export { withFilterHints } from "./filter_hints.ts";
export type { Filter, FilterScope } from "./filters.ts";
export { hasIcon, icon, iconOrNothing, iconSheet, iconUse } from "./icons.ts";
export {
  type RenderSlotController,
  type RenderSlotFill,
  type RenderSlotName,
  RenderSlots,
  renderSlotNames,
} from "./render_slots.ts";
export type { Tag, TagOutput, TagUse } from "./tags.ts";
export { dateTag, timeTag, timeText, toInstant } from "./times.ts";

/** Options of `views()`. */
export interface ViewOptions {
  /** Parses each template once and ignores later changes; by default in production only. */
  cache?: boolean;
  /** Compiles templates to functions; false, or FW_VIEWS_COMPILE=off in the settings: liquidjs interprets them all. */
  compile?: boolean;
}

/** Renders Liquid templates, looked up in the application, the portal's package, plugins, the framework. */
export function views(options: ViewOptions = {}) {
  checkOptions("views", options, { cache: option.boolean, compile: option.boolean });
  return definePlugin({
    name: "views",
    requires: ["i18n"],
    provides: "views",
    hooks: () => ({ render: new SyncBailHook(["view"]) as ViewHooks["render"] }),
    answers: { render: { expected: "HTML as a text", check: (answer) => typeof answer === "string" } },
    apply({ services, hooks, settings, registrant }) {
      const production = settings.env === "production";
      const filters = standardFilters(services.i18n, !production);
      const compile = (options.compile ?? true) && settings.values?.FW_VIEWS_COMPILE !== "off";
      if (compile) checkParser();
      const engine = { watch: !(options.cache ?? production), compile };
      const service = openViews(hooks.views, filters, engine, registrant);
      const report = (err: unknown) => services.host?.log.warn({ err }, "a template could not be compiled in advance");
      if (production && compile) hooks.host?.listening.tap("views", () => service.warm(report));
      hooks.kernel.contribute.tap("views", (contribution) => {
        const directory = contribution.folder("views");
        if (directory !== undefined) service.addRoot({ directory, rank: "plugin" });
      });
      hooks.host?.page.tap("views", (locals, controller) => {
        if (!service.slots.isEmpty) locals.render_slots ??= new RenderSlotDrop(service.slots, locals, controller);
      });
      if (settings.root !== undefined)
        service.addRoot({ directory: join(settings.root, "app/views"), rank: "application" });
      return service;
    },
  });
}
