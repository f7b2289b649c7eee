import type { Application, Route } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, Registry, stage } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import { displays, displayWords, type FieldType, fieldTexts } from "framewright/plugins/fields";
import { standardTypes } from "framewright/plugins/fields/toolkit";
import { addCatalogues } from "framewright/plugins/i18n";
import { commands } from "./commands/index.ts";
import { overridesOf, ResourceController } from "./controller.ts";
import { addParts } from "./definition/added_parts.ts";
import { checkNoFiles } from "./definition/definition_checks.ts";
import { mayGuestWrite } from "./definition/guest_policy.ts";
import { checkPredicates } from "./definition/policy_checks.ts";
import { unroutedPanels } from "./definition/unrouted_panels.ts";
import { readModeOf } from "./entry/read_mode.ts";
import { errors } from "./errors.ts";
import { generators } from "./generators/index.ts";
import { answers, openHooks, portalOf } from "./hooks.ts";
import { checkConfirms } from "./operations/confirm_identity.ts";
import { addPreparations } from "./operations/prepare_policies.ts";
import { isolatedParts } from "./pages/failed_parts.ts";
import { ActionRoutes } from "./registration/action_routes.ts";
import {
  AddedActions,
  addControllerMethods,
  rememberController,
  resourceUrlFilter,
} from "./registration/controller_methods.ts";
import { ResourceDrawer } from "./registration/draw_routes.ts";
import { checkNeededPlugins, uncalledPredicates } from "./registration/needed_plugins.ts";
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
}

/** Options that became plugins. */
const movedOptions = {
  savedViews: ["saved_views", "savedViews()"],
  undoDeletions: ["undo", "undo()"],
  background: ["background_runs", "backgroundRuns({ … })"],
  exports: ["exports", "exports({ … })"],
} as const;

/** @throws FW_RESOURCES_OPTION_MOVED */
function checkMovedOptions(options: object): void {
  for (const [option, [folder, line]] of Object.entries(movedOptions))
    if (option in options) throw errors.FW_RESOURCES_OPTION_MOVED(option, line, `framewright/plugins/${folder}`);
}

/** Models served as pages and JSON, through policies and definitions. */
export function resources(options: ResourceOptions = {}): Plugin {
  checkMovedOptions(options);
  checkOptions("resources", options, {
    nestedAssociationRoutes: option.oneOf("all", "declared"),
  });
  return definePlugin({
    name: "resources",
    commands,
    generators,
    directory: import.meta.dirname,
    requires: ["host", "database", "views", "portals"],
    uses: ["i18n"],
    provides: "resources",
    hooks: openHooks,
    isolated: isolatedParts,
    answers,
    portalOf,
    apply({ services, hooks, registrant }) {
      if (services.i18n) addCatalogues(services.i18n, fieldTexts);
      const fieldTypes = new Registry<FieldType>("the type of fields", registrant);
      for (const [name, type] of standardTypes.entries()) fieldTypes.add(name, type);
      const { host, database, views } = services;
      const registry = new ResourceRegistry(
        host,
        database,
        views,
        fieldTypes,
        (definition, about) =>
          addParts(
            definition,
            () => host.kernel.tapping(definition),
            () => hooks.resources.define.call(definition, about),
          ),
        ResourceController,
      );
      const drawer = new ResourceDrawer(
        registry,
        (set, registration) => hooks.resources.draw.call(set, registration),
        (place) => hooks.resources.place.call(place),
        () => hooks.resources.panels.taps.some((tap) => !(tap as { eager?: boolean }).eager),
      );
      const added = new AddedActions(registrant);
      const actionRoutes = new ActionRoutes();
      services.host.routeMacros.define("resources", "registerResource", (set) => drawer.register.bind(drawer, set));
      services.views.addFilter("resource_url_for", resourceUrlFilter);
      const words = displayWords((key) => key); // Markdown shows none of them
      services.views.addFilter("markdown", (text) => (text ? displays.markdown!(String(text), { words }) : ""));
      hooks.host.page.tap("resources", rememberController);
      hooks.host.loaded.tap({ name: "resources", stage: stage.early }, (application) =>
        registry.brought.load(application as Application),
      );
      hooks.kernel.drawRoutes.tap("resources", () => {
        drawer.drawNested(options.nestedAssociationRoutes ?? "all");
        for (const set of drawer.portals().values()) hooks.resources.portal.call(set);
      });
      hooks.host.compile.tap("resources", ({ route, engine, controller }) => {
        actionRoutes.add(route, engine);
        const about = registry.routes.get(route);
        if (!about) return refuseUnregistered(registry, route, engine?.name);
        checkConfirms(controller, about.registration);
        Object.assign(route.metadata, readModeOf(about, route.action, overridesOf(controller)));
      });
      hooks.host.list.tap("resources", (info, { route }) => {
        const about = registry.routes.get(route);
        if (info.guests === "write" && about && !mayGuestWrite(about, info.policy)) info.guests = "refuse";
      });
      hooks.host.examine.tapPromise("resources", async (findings) => {
        const { openPolicies } = await import("./commands/open_policies.ts");
        findings.push(...openPolicies(host));
      });
      hooks.kernel.ready.tap("resources", () => {
        checkPredicates(registry.all());
        for (const registration of registry.all()) {
          actionRoutes.check(registration);
          checkNeededPlugins(registration, (slot) => host.kernel.has(slot));
          if (services.storage === undefined) checkNoFiles(registration.definition, fieldTypes);
          const uncalled = uncalledPredicates(registration, (slot) => host.kernel.has(slot));
          for (const sentence of [...uncalled, ...readerWarnings(registration)]) services.host.log.warn(sentence);
        }
        for (const sentence of unroutedPanels(registry)) services.host.log.warn(sentence);
        addPreparations(services.host, registry, services.database);
      });
      const resources = new ResourceService(
        registry,
        services.database,
        hooks.resources,
        fieldTypes,
        ResourceController,
        { addActions: (actions) => added.add(actions), addResource: (resource) => registry.brought.add(resource) },
      );
      hooks.portals.navigation.tap("resources", (items, controller) => addNavigation(resources, items, controller));
      return resources;
    },
  });
}

/** The controller of a resource knows which one by the routes that are drawn for it. @throws FW_RESOURCE_ROUTE */
function refuseUnregistered(registry: ResourceRegistry, route: Route, owner: string | undefined): void {
  const { verb, pattern, controller } = route;
  if (!("path" in controller)) return;
  const isRegistered = [...registry.of(owner).values()].some(({ path }) => path === controller.path);
  if (isRegistered) throw errors.FW_RESOURCE_ROUTE(`${verb} ${pattern}`, controller.path);
}
