import type { BaseController, RouteSet } from "framewright/host";
import {
  type AnswerRule,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  checkOptions,
  definePlugin,
  option,
  type Plugin,
  Registry,
  SyncHook,
  SyncWaterfallHook,
  stage,
} from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type {} from "framewright/plugins/jobs";
import { checkBackground, hasBackground } from "./background/checks.ts";
import { type BackgroundOptions, BackgroundRuns } from "./background/runs.ts";
import { SweepTimer } from "./background/sweep_timer.ts";
import { checkBulk } from "./bulk/actions.ts";
import type { DefinitionPlace, RecordEvent, ResourceHooks } from "./contract.ts";
import { overridesOf, ResourceController } from "./controller.ts";
import type { ResourceDefinition } from "./definition/definition.ts";
import { checkNoFiles } from "./definition/definition_checks.ts";
import { mayGuestWrite } from "./definition/guest_policy.ts";
import type { PolicyDecision } from "./definition/policy.ts";
import { checkPredicates } from "./definition/policy_checks.ts";
import type { QueryScope } from "./definition/query_scope.ts";
import { unroutedPanels } from "./definition/unrouted_panels.ts";
import { Deletions } from "./deletions/deletions.ts";
import { drawDensity } from "./density/density.ts";
import { readModeOf } from "./entry/read_mode.ts";
import { type ExportOptions, exportSettings } from "./export/settings.ts";
import type { FieldType } from "./fields/types/field_type.ts";
import { standardTypes } from "./fields/types/index.ts";
import { generators } from "./generators/index.ts";
import { importWarning, missingForImport } from "./import/checks.ts";
import { Imports } from "./import/imports.ts";
import { drawKeys, keysUrl } from "./keys/keys_page.ts";
import { checkConfirms } from "./operations/confirm_identity.ts";
import { addPreparations } from "./operations/prepare_policies.ts";
import type { ActionsShown } from "./pages/hidden_actions.ts";
import type { PanelList, PanelPage } from "./pages/plugin_panels.ts";
import { ActionRoutes } from "./registration/action_routes.ts";
import { addControllerMethods, rememberController, resourceUrlFilter } from "./registration/controller_methods.ts";
import { ResourceDrawer, type ResourcePlace } from "./registration/draw_routes.ts";
import type { Registration } from "./registration/registration.ts";
import { ResourceRegistry } from "./registration/registry.ts";
import { addNavigation } from "./registration/sidebar_items.ts";
import { SavedViewStore } from "./saved_views/store.ts";
import { drawSearch, searchUrl } from "./search/search_page.ts";
import { ResourceService } from "./service.ts";

export type { BackgroundPerson } from "./background/enter.ts";
export type {
  BackgroundProblem,
  BackgroundRunEvent,
  BackgroundRunInfo,
  BackgroundRunState,
  RefusalKind,
} from "./background/run.ts";
export type { BackgroundOptions, BackgroundRuns } from "./background/runs.ts";
export * from "./components/index.ts";
export type { DefinitionPlace, RecordEvent, ResourceHooks } from "./contract.ts";
export { ResourceController } from "./controller.ts";
export type { ActionContext, ActionOptions, Placement, ResourceAction } from "./definition/actions.ts";
export { type Attribute, isSecret } from "./definition/attributes.ts";
export { isCredential } from "./definition/credentials.ts";
export {
  type DefinitionClass,
  type DefinitionMacros,
  type DefinitionWords,
  type FieldOptions,
  type Fieldset,
  type FieldsetOptions,
  type FilterGroup,
  type FilterInput,
  type FilterOptions,
  type ListContext,
  type ResourceColumnOptions,
  ResourceDefinition,
  type ResourceFieldOptions,
  type ResourceInputOptions,
  type ScopeOptions,
  type SectionOptions,
  type SectionPage,
  type SortOptions,
} from "./definition/definition.ts";
export {
  Interaction,
  type InteractionClass,
  type InteractionContext,
  type TargetContext,
} from "./definition/interaction.ts";
export { fail, type Outcome, type Success, succeed } from "./definition/outcome.ts";
export {
  type AttributeList,
  allows,
  Policy,
  type PolicyClass,
  type PolicyContext,
  type PolicyDecision,
  type PolicyPreparation,
  type PolicyUser,
  predicateOf,
} from "./definition/policy.ts";
export { listOfNobody } from "./definition/policy_checks.ts";
export { Narrow, QueryScope } from "./definition/query_scope.ts";
export type { ExportOptions } from "./export/settings.ts";
export { contains } from "./fields/contains.ts";
export { addEditor } from "./fields/editor.ts";
export type {
  ChoiceList,
  ChoiceOption,
  ChoicesContext,
  DeclaredField,
  FieldContext,
  InputOptions,
  ValueRules,
} from "./fields/options.ts";
export { choiceOf, defaultOf, isDynamic, isRequired, isShown, readsOthers } from "./fields/options.ts";
export { fromStored, ownType, readDefault, readField, toStored } from "./fields/read_field.ts";
export { type DrawnChoices, FieldSource, listedChoices } from "./fields/source.ts";
export { defineFieldType } from "./fields/types/define.ts";
export type {
  FieldColumn,
  FieldFilter,
  FieldFrame,
  FieldType,
  FieldTypeOptions,
  FieldTypeTable,
  Read,
  ReadBy,
} from "./fields/types/field_type.ts";
export type { FieldTypeName, FieldTypes, FilterTypeName, StandardFieldTypes } from "./fields/types/field_types.ts";
export { inputNames } from "./fields/types/index.ts";
export { addChoices, fieldView } from "./fields/view.ts";
export type {
  AnyInteractionAttributes,
  InteractionAttributes,
  InteractionInput,
  InteractionValues,
} from "./operations/interaction_inputs.ts";
export type { ActionsShown } from "./pages/hidden_actions.ts";
export type { PanelList, PanelOptions, PanelPage } from "./pages/plugin_panels.ts";
export type { CustomOptions, CustomRoutes, ResourcePlace, ResourceRoutes } from "./registration/draw_routes.ts";
export { type PolicyAnswer, type PolicyPerson, type PolicyReport, policyReport } from "./registration/policy_report.ts";
export { type RegisterOptions, Registration, type ResourceRoute } from "./registration/registration.ts";
export {
  commonLabel,
  fieldLabel,
  inSentence,
  type LabelPlace,
  type Labels,
  labelsFor,
  namedChoices,
  type ValueLabels,
  valueLabels,
} from "./registration/resource_texts.ts";
export type { Resources } from "./service.ts";
export type { TotalKind } from "./totals/kinds.ts";

import type { ResourceUrlOptions, ResourceUrlSubject } from "./registration/urls.ts";

export { type Coerced, problemOf } from "./fields/coerce.ts";
export { answerSearch } from "./operations/typeahead.ts";
export type { ResourceUrlOptions, ResourceUrlSubject };

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
  /** People keep views of lists, in a table of `fw:saved_views:install`. */
  savedViews?: boolean;
  /** People undo their deletions for ten minutes, from a table of `fw:deletions:install`. */
  undoDeletions?: boolean;
}

const openHooks = (): ResourceHooks => ({
  define: new SyncHook<[ResourceDefinition, DefinitionPlace]>(["definition", "about"]),
  panels: new AsyncSeriesHook<[PanelList, PanelPage]>(["panels", "page"]),
  draw: new SyncHook<[RouteSet, Registration]>(["routes", "registration"]),
  place: new SyncHook<[ResourcePlace]>(["place"]),
  actions: new AsyncSeriesHook<[ActionsShown, ResourceController]>(["shown", "controller"]),
  scope: new SyncHook<[QueryScope, ResourceController]>(["narrow", "controller"]),
  defaults: new SyncHook<[Record<string, unknown>, ResourceController, Registration]>([
    "values",
    "controller",
    "registration",
  ]),
  fields: new SyncWaterfallHook<[readonly string[], Registration, ResourceController]>([
    "names",
    "registration",
    "controller",
  ]),
  decided: new SyncHook<[PolicyDecision, BaseController]>(["decision", "controller"]),
  authorize: new AsyncSeriesHook<[string, ResourceController]>(["action", "controller"]),
  record: new AsyncSeriesHook<[RecordEvent]>(["event"]),
  backgroundAccount: new AsyncSeriesBailHook(["person"]),
  backgroundRun: new AsyncSeriesHook(["event"]),
});

/** What taps may return; a text has `includes` as a list has, and would permit fields by parts of their names. */
const answers: Readonly<Record<"fields" | "backgroundAccount", AnswerRule>> = {
  fields: {
    expected: "a list of names",
    check: (answer) => Array.isArray(answer) && answer.every((name) => typeof name === "string"),
  },
  backgroundAccount: {
    expected: "an account, false for one that may not act",
    check: (answer) => answer === false || (typeof answer === "object" && !Array.isArray(answer)),
  },
};

/** Models served as pages and JSON, through policies and definitions. */
export function resources(options: ResourceOptions = {}): Plugin {
  checkOptions("resources", options, {
    nestedAssociationRoutes: option.oneOf("all", "declared"),
    background: option.object,
    exports: option.object,
    savedViews: option.boolean,
    undoDeletions: option.boolean,
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
    answers,
    apply({ services, hooks, settings, onClose, registrant }) {
      const fieldTypes = new Registry<FieldType>("the type of fields", registrant);
      for (const [name, type] of standardTypes.entries()) fieldTypes.add(name, type);
      const { host, database, views } = services;
      const registry = new ResourceRegistry(host, database, views, fieldTypes, (definition, about) =>
        hooks.resources.define.call(definition, about),
      );
      registry.takesFiles = () => services.jobs !== undefined && services.storage !== undefined;
      const drawer = new ResourceDrawer(
        registry,
        (set, registration) => hooks.resources.draw.call(set, registration),
        (place) => hooks.resources.place.call(place),
        () => hooks.resources.panels.taps.length > 0,
        () => services.jobs !== undefined,
        { savedViews: options.savedViews === true, undoDeletions: options.undoDeletions === true },
      );
      const actionRoutes = new ActionRoutes();
      services.host.routeMacros.define("resources", "registerResource", (set) => drawer.register.bind(drawer, set));
      services.views.addFilter("resource_url_for", resourceUrlFilter);
      hooks.host.page.tap("resources", rememberController);
      hooks.kernel.drawRoutes.tap("resources", () => {
        drawer.drawNested(options.nestedAssociationRoutes ?? "all");
        for (const set of drawer.portals().values()) {
          drawSearch(host, set);
          drawKeys(host, set);
          drawDensity(host, set);
        }
      });
      hooks.host.page.tap("resources", (locals, controller) => {
        const url = searchUrl(host, controller);
        if (url === undefined) return;
        locals.search_url = url;
        locals.keys_url = keysUrl(host, controller);
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
          if (services.storage === undefined) checkNoFiles(registration.definition, fieldTypes);
          checkBulk(registration);
          const missing = missingForImport(registration, services);
          if (missing.length > 0) services.host.log.warn(importWarning(registration, missing));
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
      const deletions = options.undoDeletions === true ? new Deletions(database, settings.secrets) : undefined;
      const deletionSweep = deletions && new SweepTimer(() => deletions.store.sweep(), services.host.log, "deletions");
      hooks.host.listening.tap("resources", () => {
        if (background.isOpen) sweep.start();
        deletionSweep?.start();
      });
      onClose(() => deletionSweep?.stop());
      hooks.kernel.close.tapPromise({ name: "resources", stage: stage.early }, () => background.stop()); // before the jobs wait
      onClose(() => sweep.stop());
      const resources = new ResourceService(
        registry,
        services.database,
        hooks.resources,
        background,
        fieldTypes,
        ResourceController,
        options.savedViews === true ? new SavedViewStore(database) : undefined,
        deletions,
      );
      hooks.portals.navigation.tap("resources", (items, controller) => addNavigation(resources, items, controller));
      return resources;
    },
  });
}
