import { openSealer, type RouteSet } from "framewright/host";
import {
  checkOptions,
  definePlugin,
  definePlugins,
  type OptionRule,
  option,
  type PluginList,
  stage,
} from "framewright/kernel";
import type {} from "framewright/plugins/dashboards";
import { memoryLimits } from "framewright/plugins/limits";

import { commands } from "./commands/index.ts";
import type { WizardClass, Wizards, WizardWidth } from "./contract/index.ts";
import { describeWizards } from "./describe_wizards.ts";
import { errors } from "./errors.ts";
import { checkGates } from "./gate.ts";
import { generators } from "./generators/index.ts";
import { openWizardHooks } from "./hooks.ts";
import { checkVia } from "./mounts/controllers.ts";
import { wizardMacro } from "./mounts/definition_macro.ts";
import { addDraftFrames } from "./mounts/draft_frames.ts";
import { hideLaunches } from "./mounts/hide_launches.ts";
import { Mounts } from "./mounts/mount.ts";
import { drawOnResource, mountOnResource } from "./mounts/resources.ts";
import { WizardDrawer } from "./mounts/routes.ts";
import { addToSidebar } from "./mounts/sidebar.ts";
import { widths } from "./options.ts";
import { addDrafts } from "./pages/runs_page.ts";
import { runSource } from "./personal_data.ts";
import { openEngine } from "./runs/engine.ts";
import { RunCodec } from "./runs/run.ts";
import { leasedSweep } from "./runs/upkeep/leased_sweep.ts";
import { wizardStore } from "./store/index.ts";

export { type Success, succeed } from "framewright/plugins/resources";
export { type Anchored, anchored } from "./anchored_record.ts";
export type {
  EventRow,
  Fail,
  Notice,
  Person,
  RowOwner,
  Run,
  RunFilter,
  RunInfo,
  RunOutcome,
  RunRow,
  RunState,
  SentStep,
  StagedFile,
  StepContext,
  SubmitContext,
  SweepReport,
  WizardClass,
  WizardEvent,
  WizardHooks,
  WizardStore,
  Wizards,
} from "./contract/index.ts";
export { WizardBaseController, WizardController } from "./controllers.ts";
export type { Fields } from "./flow/fields.ts";
export { type Flow, steps } from "./flow/flow.ts";
export { type GateOptions, WizardGate, type WizardGateMethods } from "./gate.ts";
export type { WizardActionOptions } from "./mounts/definition_macro.ts";
export type { WizardMountOptions } from "./mounts/options.ts";
export type { WizardDrawer } from "./mounts/routes.ts"; // for the macro registerWizard
export type { WizardOptions } from "./options.ts";
export type { WizardCustomization } from "./pages/customization.ts";
export { type OpenRun, type OpenRunsOptions, openRuns } from "./pages/runs_page.ts";
export { fail } from "./runs/failure.ts";
export { wizardStore } from "./store/index.ts";
export { Wizard } from "./wizard.ts";

/** Options of `wizards()`. */
export interface WizardsOptions {
  /** Milliseconds that an open run is retained after its last change, unless its wizard sets another limit; 14 days by default. */
  cleanupAfter?: number | "never";
  /** Milliseconds after which a run that is being completed counts as abandoned; 60,000 by default. */
  grace?: number;
  /** Whether the answers of wizards are stored encrypted, unless a wizard overrides it; false by default. */
  encryptData?: boolean;
  /** How wide the pages of wizards are, unless a wizard overrides it; "normal" by default. */
  width?: WizardWidth;
  /** False: this process never runs the sweep by itself. */
  sweep?: boolean;
}
const DAY_MS = 86_400_000;
const SWEEP_MS = 3_600_000;
const lifetime: OptionRule = {
  expected: 'milliseconds above zero, or "never"',
  check: (value) => value === "never" || (typeof value === "number" && value > 0),
};

/** Wizards: forms of several steps, whose runs are stored, resumed and completed once. */
export function wizards(options: WizardsOptions = {}): PluginList {
  checkOptions("wizards", options, {
    cleanupAfter: lifetime,
    grace: option.number,
    encryptData: option.boolean,
    width: option.oneOf(...widths),
    sweep: option.boolean,
  });
  const { cleanupAfter = 14 * DAY_MS, grace = 60_000, encryptData = false, width = "normal" } = options;
  const plugin = definePlugin({
    name: "wizards",
    commands,
    generators,
    directory: import.meta.dirname,
    requires: ["host", "database", "views", "i18n", "sessions", "portals", "resources", "storage", "wizardStore"],
    uses: ["limits"],
    provides: "wizards",
    hooks: openWizardHooks,
    apply({ services, hooks, settings, tap }) {
      const { host, database, views, resources, storage, wizardStore: store } = services;
      const mounts = new Mounts();
      let offersDrafts = false;
      const wizard = (constant: string) =>
        mounts.all.find(({ name }) => name === constant)?.wizard ??
        (host.constants.has(constant) ? (host.constants.get(constant).value as WizardClass) : undefined);
      const limits = services.limits ?? memoryLimits();
      const parts = { database, store, settings, hooks: hooks.wizards, log: host.log, storage, limits, wizard };
      const engine = openEngine({ ...parts, cleanupAfter, grace, encryptData });
      const defaultLayout = (owner: string | undefined) =>
        services.layout?.choose({ host: owner === undefined ? "main" : "portal" });
      const drawer = new WizardDrawer(host, views, mounts, defaultLayout);
      resources.registry.definitionMacros.define("wizards", "wizard", wizardMacro);
      host.routeMacros.define("wizards", "registerWizard", (set: RouteSet) => drawer.register.bind(drawer, set));
      hooks.resources.place.tap("wizards", (place) => {
        const { parent, registration } = place.about;
        if (!parent) mountOnResource(host, mounts, registration);
        if (!offersDrafts && mounts.all.some(({ kind }) => kind === "resource")) {
          offersDrafts = true;
          addDraftFrames(views);
        }
        drawOnResource(mounts, place, registration.owner === undefined ? undefined : defaultLayout(registration.owner));
      });
      hooks.host.loaded.tap("wizards", (application) => {
        const { sent: _, ...others } = hooks.wizards;
        if (Object.values(others).some(({ taps }) => taps.length > 0)) application.tracksOrigins = true; // their taps know no request
      });
      const codec = new RunCodec(openSealer(settings.secrets, "wizard run"));
      if (hooks.openapi) describeWizards(hooks.openapi.operation, mounts);
      hooks.personal_data?.sources.tap("wizards", (sources) => sources.add(runSource(database, codec)));
      hooks.portals.navigation.tap("wizards", (items, controller) => addToSidebar(mounts, items, controller));
      hooks.dashboards?.waiting.tapPromise("wizards", async (items, controller) => {
        if (mounts.all.length > 0) await addDrafts(items, controller); // the tables of runs come with the first wizard
      });
      hooks.host.compile.tap("wizards", ({ route, controller, engine: portal }) => {
        for (const wizard of mounts.wizardsOf(route)) checkVia(host, wizard, controller, portal?.name);
        checkGates(mounts, controller, portal?.name);
      });
      hooks.kernel.drawRoutes.tap({ name: "wizards", stage: stage.late }, () =>
        mounts.resolveSteps(resources.fieldTypes, [...resources.registry.all()]),
      );
      tap(hooks.resources.actions, (shown, controller) => hideLaunches({ mounts, engine }, shown, controller));
      if (options.sweep ?? true) host.periodic.add(SWEEP_MS, leasedSweep({ engine, store, everyMs: SWEEP_MS }));
      const markCompleted: Wizards["markCompleted"] = async (wizard, person) => {
        const places = new Map(mounts.all.filter((one) => one.wizard === wizard).map((one) => [one.owner, one]));
        if (places.size === 0 || !wizard.metadata.oneTime) throw errors.FW_WIZARD_MARK(wizard.name);
        const marked: boolean[] = [];
        for (const mount of places.values()) marked.push(await engine.markCompleted(host, mount, person));
        return marked.includes(true);
      };
      return { engine, mounts, width, markCompleted };
    },
  });
  return definePlugins([wizardStore(), plugin]);
}
