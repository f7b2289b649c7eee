import { join } from "node:path";
import { currentOrigin, openSealer } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import { RecordTenants } from "framewright/plugins/scoping";
import type { RunInfo } from "framewright/plugins/wizards";
import type {} from "./contract.ts";
import { Dispatcher } from "./delivering/dispatcher.ts";
import { announceDisabled } from "./delivering/notice.ts";
import { Payloads } from "./delivering/payload.ts";
import { People } from "./delivering/people.ts";
import { describeWebhooks } from "./describe_webhooks.ts";
import { errors } from "./errors.ts";
import { isSent, wizardEvent } from "./events/names.ts";
import type { PendingEvent } from "./events/pending_events.ts";
import { DELIVER, Recorder } from "./events/recorder.ts";
import { settled, type WebhooksOptions } from "./options.ts";
import { PATH } from "./pages/access.ts";
import { WebhookRoutes } from "./pages/routes.ts";
import { addWebhookSource } from "./personal_data.ts";
import { DeliveryStore } from "./store/delivery_store.ts";
import { WebhookStore } from "./store/webhook_store.ts";

export type { Resolve } from "framewright/host/outbound";
export type { WebhooksOptions } from "./options.ts";
export { type ReceivedWebhook, type VerifiedWebhook, verifyWebhook } from "./verify.ts";

const PRUNE = "webhooks.prune";
const SWEEP_MS = 60_000;
const PRUNE_MS = 6 * 3_600_000;
/** What was due so long ago was left by a process that has ended. */
const LATE_MS = 30_000;

/**
 * Sends what happens to records to other systems, as Standard Webhooks has it: chosen by those who manage a tenant, written with
 * the change, signed, and retried; from tables of `fw:install webhooks`.
 */
export function webhooks(options: WebhooksOptions = {}): Plugin {
  const { sending, may, limit, keepMs, ...rest } = settled(options);
  return definePlugin({
    name: "webhooks",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "portals", "resources", "jobs"],
    uses: ["scoping", "wizards", "notifications", "mailer"],
    provides: "webhooks",
    apply({ services, hooks, settings, onClose }) {
      const { host, database, assets, portals, resources, jobs, scoping, notifications, mailer } = services;
      assets.add("webhooks.css", join(import.meta.dirname, "client/webhooks.css"));
      const webhooks = new WebhookStore(database, openSealer(settings.secrets, "webhooks"));
      const deliveries = new DeliveryStore(database);
      const people = new People(resources);
      const wizards = () => (host.kernel.has("wizards") ? host.kernel.service("wizards") : undefined);
      const routeIn = (portal: string) => routes.listIn(portal);
      const payloads = new Payloads({ people, resources, may, routeIn, path: PATH });
      const canEnter = payloads.canEnter.bind(payloads);
      const parts = { webhooks, deliveries, jobs, wizards, may, canEnter, limit, rules: sending };
      const routes = new WebhookRoutes(parts);
      const notice = { people, routeIn, path: PATH, notifications, mailer };
      const dispatcher = new Dispatcher({
        ...{ webhooks, deliveries, jobs, payloads, sending, ...rest },
        announce: (webhook) => announceDisabled(notice, webhook),
        log: () => host.log,
      });
      onClose(() => dispatcher.close());
      jobs.define(DELIVER, () => dispatcher.run());
      jobs.define(PRUNE, async () => void (await deliveries.prune(new Date(Date.now() - keepMs))));
      host.periodic.add(SWEEP_MS, async () => {
        if (await deliveries.isLate(new Date(Date.now() - LATE_MS))) await jobs.enqueue(DELIVER, {});
      });
      host.periodic.add(PRUNE_MS, () => jobs.enqueue(PRUNE, {}));

      const tenants = new RecordTenants(database, host, scoping);
      const recorder = new Recorder({ webhooks, deliveries, tenants, resources, jobs });
      hooks.database.changing.tap("webhooks", (change) => recorder.hear(change));
      hooks.wizards?.executed.tap("webhooks", (run, transaction) => finished(recorder, run, transaction));
      hooks.kernel.drawRoutes.tap("webhooks", () => {
        for (const portal of portals.all.keys()) routes.draw(host, portal);
      });
      hooks.portals.userMenu.tap("webhooks", (items, controller) => {
        const url = routes.urlFor(controller);
        if (url) items.push({ label: controller.t("webhooks.title"), url, icon: "activity" });
      });
      if (hooks.openapi) describeWebhooks(hooks.openapi, routes);
      hooks.personal_data?.sources.tap("webhooks", addWebhookSource);
      hooks.kernel.ready.tap("webhooks", () => {
        for (const model of database.models()) isSent(model);
      });
      hooks.host.examine.tapPromise("webhooks", async (findings) => {
        const exists = async () => (await webhooks.isInstalled()) && (await deliveries.isInstalled());
        const ok = await exists().catch(() => true); // the database reports itself
        findings.push({
          what: "webhooks",
          ok,
          detail: ok ? "its tables are there" : errors.FW_WEBHOOKS_TABLE().message,
        });
      });
    },
  });
}

/** A wizard is about to be committed as completed. */
function finished(recorder: Recorder, { wizard, id, portal }: RunInfo, transaction: Transaction): void {
  if (portal === undefined) return;
  const tenant = tenantKey(currentOrigin()?.request?.controller?.currentScopedEntity);
  const event: PendingEvent = {
    names: [wizardEvent(wizard)],
    kind: "wizard",
    ...{ model: null, key: null, record: undefined, tenant, portal },
    lane: `wizard ${id}`,
    details: { at: new Date().toISOString(), wizard, run: id },
  };
  recorder.add(event, transaction);
}
