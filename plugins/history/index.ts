import { join } from "node:path";
import { AsyncSeriesHook, checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import type { ResourceRequest } from "framewright/plugins/resources";
import { RecordTenants } from "framewright/plugins/scoping";
import type { HistoryHooks } from "./contract.ts";
import { describeHistory } from "./describe_history.ts";
import { errors } from "./errors.ts";
import { historyOf, isKeepFor, type KeepFor } from "./options.ts";
import { historySource } from "./personal_data.ts";
import { rawWrites, rawWritesText } from "./raw_writes.ts";
import { showDay } from "./reading/day_page.ts";
import { showLastChange } from "./reading/last_change.ts";
import { PortalPages } from "./reading/portal_pages.ts";
import { RecordPages } from "./reading/record_pages.ts";
import { duplicateMark } from "./recording/means.ts";
import { Recorder } from "./recording/recorder.ts";
import { secretsIn } from "./recording/values.ts";
import { Retention } from "./retention.ts";
import { Reverts } from "./reverting/revert.ts";
import { HistoryStore } from "./store.ts";

export type {
  History,
  HistoryChange,
  HistoryCursor,
  HistoryEntry,
  HistoryFilter,
  HistoryHooks,
  HistoryKind,
  HistoryPerson,
  StoredEntry,
  TimelineItem,
  TimelinePage,
} from "./contract.ts";
export type { KeepFor, ModelHistory } from "./options.ts";

/** Options of `history()`. */
export interface HistoryOptions {
  /** How long entries are stored, `{ days: 365 }`; forever by default. `static history` of a model comes first. */
  keepFor?: KeepFor;
}
const kept: OptionRule = { expected: "{ days: 365 }", check: isKeepFor };

const SWEEP_MS = 6 * 3_600_000;

/** Who changed what, when and by what means, with the values before and after; from a table of `fw:install history`. */
export function history(options: HistoryOptions = {}): Plugin {
  checkOptions("history", options, { keepFor: kept });
  return definePlugin({
    name: "history",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "portals", "resources"],
    uses: ["scoping"],
    provides: "history",
    hooks: (): HistoryHooks => ({ timeline: new AsyncSeriesHook(["items", "page"]) }),
    isolated: { timeline: () => undefined },
    portalOf: { timeline: (_, { controller }) => controller.request.engine?.name },
    apply({ services: { host, database, views, assets, portals, resources, scoping }, hooks, settings }) {
      assets.add("history.css", join(import.meta.dirname, "client/history.css"));
      const store = new HistoryStore(database);
      const tenants = new RecordTenants(database, host, scoping);
      const recorder = new Recorder({
        store,
        tenants,
        isRecorded: (model) => historyOf(model) !== false,
        secretsOf: secretsIn(resources),
      });
      const reverts = new Reverts(store);
      const records = new RecordPages({
        store,
        hooks: hooks.history,
        assets,
        revert: (...about) => reverts.buttons(...about),
      });
      const pages = new PortalPages(store, () => records.styles());
      const retention = new Retention(store, () => database.models(), options.keepFor);
      hooks.database.changing.tap("history", (change) => recorder.hear(change));
      hooks.resources.place.tap("history", ({ member, through, draw }) => {
        if (through) return;
        const action = (controller: ResourceRequest) => records.show(controller);
        draw("GET", `${member}/history`, { action, policy: "canShowHistory" });
        const last = (controller: ResourceRequest) => showLastChange(store, controller);
        draw("GET", `${member}/history/last`, { action: last, policy: "canShowHistory" });
        const day = (controller: ResourceRequest) => showDay(store, controller);
        draw("GET", `${member}/history/on`, { action: day, policy: "canShowHistory" });
        const revert = (controller: ResourceRequest) => reverts.revert(controller);
        draw("POST", `${member}/history/:entry_key/revert`, { action: revert, policy: "canUpdate" });
      });
      if (hooks.openapi) describeHistory(hooks.openapi.operation);
      hooks.resources.panels.tap("history", (panels, page) => records.addPanel(panels, page));
      views.slots.add("record.after_details", (_, controller) => records.drawLast(controller));
      views.slots.add("form.before_fields", (_, controller) => duplicateMark(controller.request));
      hooks.kernel.drawRoutes.tap("history", () => {
        for (const portal of portals.all.keys()) pages.draw(host, portal);
      });
      hooks.portals.userMenu.tap("history", (items, controller) => {
        const url = pages.urlFor(controller);
        if (url) items.push({ label: controller.t("history.title"), url, icon: "history" });
      });
      hooks.personal_data?.sources.tap("history", (sources) => sources.add(historySource(database, store, recorder)));
      hooks.kernel.ready.tap("history", () => {
        for (const model of database.models()) historyOf(model);
      });
      hooks.host.examine.tapPromise("history", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        findings.push({
          what: "history",
          ok,
          detail: ok ? rawWritesText(rawWrites(settings.root)) : errors.FW_HISTORY_TABLE().message,
        });
      });
      host.periodic.add(SWEEP_MS, async () => void (await retention.prune()));
      return {
        entries: (filter) => store.read(filter),
        prune: (now) => retention.prune(now),
        urlFor: (controller) => pages.urlFor(controller),
      };
    },
  });
}
