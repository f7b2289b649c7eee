import { checkOptions, definePlugin, option, type Plugin, Registry, stage } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type {} from "framewright/plugins/jobs";
import { checkBackground, hasBackground } from "./background/checks.ts";
import { type BackgroundOptions, BackgroundRuns } from "./background/runs.ts";
import { SweepTimer } from "./background/sweep_timer.ts";
import { overridesOf, ResourceController } from "./controller.ts";
import { addParts } from "./definition/added_parts.ts";
import { checkNoFiles } from "./definition/definition_checks.ts";
import { mayGuestWrite } from "./definition/guest_policy.ts";
import { checkPredicates } from "./definition/policy_checks.ts";
import { unroutedPanels } from "./definition/unrouted_panels.ts";
import { readModeOf } from "./entry/read_mode.ts";
import { errors } from "./errors.ts";
import { type ExportOptions, exportSettings } from "./export/settings.ts";
import type { FieldType } from "./fields/types/field_type.ts";
import { standardTypes } from "./fields/types/index.ts";
import { generators } from "./generators/index.ts";
import { answers, openHooks } from "./hooks.ts";
import { importWarning, missingForImport } from "./import/checks.ts";
import { Imports } from "./import/imports.ts";
import { checkConfirms } from "./operations/confirm_identity.ts";
import { addPreparations } from "./operations/prepare_policies.ts";
import { addFailedPanel } from "./pages/plugin_panels.ts";
import { ActionRoutes } from "./registration/action_routes.ts";
import { addControllerMethods, rememberController, resourceUrlFilter } from "./registration/controller_methods.ts";
import { ResourceDrawer } from "./registration/draw_routes.ts";
import { checkNeededPlugins } from "./registration/needed_plugins.ts";
import { readerWarnings } from "./registration/reader_warnings.ts";
import { ResourceRegistry } from "./registration/registry.ts";
import { addNavigation } from "./registration/sidebar_items.ts";
import type { ResourceUrlOptions, ResourceUrlSubject } from "./registration/urls.ts";
import { ResourceService } from "./service.ts";

export * from "./exports.ts";

declare module "framewright/host" {
  interface BaseController {
    /** The path of a record, a class or an action in this portal, or another. */
    resourceUrlFor(subject: ResourceUrlSubject, options?: ResourceUrlOptions): string;
    /** The account's only record of a model, as its profile; read once a request, and left at `currentUser.profile`. */
    ownRecord<M extends BaseModel>(model: { new (): M }): Promise<M | undefined>;
  }
}
addControllerMethods();

/** Options of `resources()`. */
export interface ResourceOptions {
  /** "declared": every registration must name its associations. */
  nestedAssociationRoutes?: "all" | "declared";
  /** Interactions in the background: how long their runs are kept, and leased. */
  background?: BackgroundOptions;
  /** Exports in the background: from how many rows on, and how long their files are kept. */
  exports?: ExportOptions;
}

/** Options that became plugins. */
const movedOptions = { savedViews: "saved_views", undoDeletions: "undo" } as const;
const lines = { savedViews: "savedViews()", undoDeletions: "undo()" } as const;

/** @throws FW_RESOURCES_OPTION_MOVED */
function checkMovedOptions(options: object): void {
  for (const [option, slot] of Object.entries(movedOptions))
    if (option in options)
      throw errors.FW_RESOURCES_OPTION_MOVED(
        option,
        lines[option as keyof typeof lines],
        `framewright/plugins/${slot}`,
      );
}

/** Models served as pages and JSON, through policies and definitions. */
export function resources(options: ResourceOptions = {}): Plugin {
  checkMovedOptions(options);
  checkOptions("resources", options, {
    nestedAssociationRoutes: option.oneOf("all", "declared"),
    background: option.object,
    exports: option.object,
  });
  checkOptions("resources", options.background ?? {}, { keep: option.number, lease: option.number });
  checkOptions("resources", options.exports ?? {}, { backgroundRows: option.number, keepHours: option.number });
  return definePlugin({
    name: "resources",
    generators,
    directory: import.meta.dirname,
    requires: ["host", "database", "views", "portals"],
    provides: "resources",
    hooks: openHooks,
    isolated: { panels: addFailedPanel },
    answers,
    apply({ services, hooks, settings, onClose, registrant }) {
      const fieldTypes = new Registry<FieldType>("the type of fields", registrant);
      for (const [name, type] of standardTypes.entries()) fieldTypes.add(name, type);
      const { host, database, views } = services;
      const registry = new ResourceRegistry(host, database, views, fieldTypes, (definition, about) =>
        addParts(
          definition,
          () => host.kernel.tapping(definition),
          () => hooks.resources.define.call(definition, about),
        ),
      );
      registry.takesFiles = () => services.jobs !== undefined && services.storage !== undefined;
      const drawer = new ResourceDrawer(
        registry,
        (set, registration) => hooks.resources.draw.call(set, registration),
        (place) => hooks.resources.place.call(place),
        () => hooks.resources.panels.taps.length > 0,
        () => services.jobs !== undefined,
      );
      const actionRoutes = new ActionRoutes();
      services.host.routeMacros.define("resources", "registerResource", (set) => drawer.register.bind(drawer, set));
      services.views.addFilter("resource_url_for", resourceUrlFilter);
      hooks.host.page.tap("resources", rememberController);
      hooks.kernel.drawRoutes.tap("resources", () => {
        drawer.drawNested(options.nestedAssociationRoutes ?? "all");
        for (const set of drawer.portals().values()) hooks.resources.portal.call(set);
      });
      hooks.host.compile.tap("resources", ({ route, engine, controller }) => {
        actionRoutes.add(route, engine);
        const about = registry.routes.get(route);
        if (!about) return;
        checkConfirms(controller, about.registration);
        Object.assign(route.metadata, readModeOf(about, route.action, overridesOf(controller)));
      });
      hooks.host.list.tap("resources", (info, { route }) => {
        const about = registry.routes.get(route);
        if (info.guests === "write" && about && !mayGuestWrite(about, info.policy)) info.guests = "refuse";
      });
      hooks.kernel.ready.tap("resources", () => {
        checkPredicates(registry.all());
        for (const registration of registry.all()) {
          actionRoutes.check(registration);
          checkNeededPlugins(registration, (slot) => host.kernel.has(slot));
          if (services.storage === undefined) checkNoFiles(registration.definition, fieldTypes);
          const missing = missingForImport(registration, services);
          if (missing.length > 0) services.host.log.warn(importWarning(registration, missing));
          for (const sentence of readerWarnings(registration)) services.host.log.warn(sentence);
          checkBackground(registration, services.jobs !== undefined, fieldTypes);
        }
        if (services.jobs && registry.all().some((one) => hasBackground(one, true))) background.open(services.jobs);
        for (const sentence of unroutedPanels(registry)) services.host.log.warn(sentence);
        addPreparations(services.host, registry, services.database);
      });
      const imports = new Imports({
        ...{ database: services.database, secrets: settings.secrets },
        storage: () => services.storage,
        runs: () => background,
      });
      const background: BackgroundRuns = new BackgroundRuns({
        ...{ registry, database: services.database, hooks: hooks.resources, imports },
        ...{ secrets: settings.secrets, options: options.background ?? {} },
        ...{ exports: exportSettings(options.exports), storage: () => services.storage },
      });
      const sweep = new SweepTimer(() => background.sweep(), services.host.log, "background runs");
      hooks.host.listening.tap("resources", () => {
        if (background.isOpen) sweep.start();
      });
      hooks.kernel.close.tapPromise({ name: "resources", stage: stage.early }, () => background.stop()); // before the jobs wait
      onClose(() => sweep.stop());
      const resources = new ResourceService(
        registry,
        services.database,
        hooks.resources,
        background,
        fieldTypes,
        ResourceController,
      );
      hooks.portals.navigation.tap("resources", (items, controller) => addNavigation(resources, items, controller));
      return resources;
    },
  });
}
