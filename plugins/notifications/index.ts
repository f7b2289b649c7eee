import { checkOptions, definePlugin, type OptionRule, type Plugin, SyncHook } from "framewright/kernel";
import type {} from "framewright/plugins/portals";
import type {} from "framewright/plugins/resources";
import { notifyOfRun } from "./background_runs.ts";
import { Bell } from "./bell.ts";
import { ownersOf, rowOf } from "./content.ts";
import type { NotificationHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { tenantKey } from "./owner.ts";
import { notificationPages } from "./pages.ts";
import { NotificationStore } from "./store.ts";

export type {
  NotificationContent,
  NotificationHooks,
  NotificationKind,
  Notifications,
  NotifiedAccount,
  SendOptions,
} from "./contract.ts";

const DAY_MS = 86_400_000;
const SWEEP_INTERVAL_MS = 6 * 3_600_000;

/** Options of `notifications()`. */
export interface NotificationsOptions {
  /** Days that a notification is retained, read or not; 90 by default. */
  keep?: number;
}
const days: OptionRule = { expected: "days above zero", check: (value) => typeof value === "number" && value > 0 };

/** Notifications of accounts: a bell in the shell of portals, and a page of them. */
export function notifications(options: NotificationsOptions = {}): Plugin {
  checkOptions("notifications", options, { keep: days });
  const { keep = 90 } = options;
  return definePlugin({
    name: "notifications",
    directory: import.meta.dirname,
    requires: ["host", "database", "views", "i18n", "portals"],
    uses: ["resources"],
    provides: "notifications",
    hooks: (): NotificationHooks => ({ changed: new SyncHook(["accounts"]) }),
    apply({ services: { host, database, views, portals }, hooks }) {
      const store = new NotificationStore(database, (owners) =>
        hooks.notifications.changed.call(
          owners.map(({ owner_type, owner_id }) => ({ table: owner_type, id: owner_id })),
        ),
      );
      const bell = new Bell(host);
      const removeOld = (now = new Date()) => store.removeBefore(new Date(now.getTime() - keep * DAY_MS));
      hooks.kernel.drawRoutes.tap("notifications", () => {
        for (const portal of portals.all.keys()) bell.draw(portal, notificationPages(store));
      });
      views.slots.add("shell.topbar", (_, controller) => bell.render(controller));
      hooks.resources?.backgroundRun.tapPromise("notifications", (event) => notifyOfRun(host, store, event));
      hooks.host.examine.tapPromise("notifications", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        const detail = ok ? `kept for ${keep} days` : errors.FW_NOTIFICATIONS_TABLE().message;
        findings.push({ what: "notifications", ok, detail });
      });
      hooks.personal_data?.sources.tap("notifications", (sources) =>
        sources.table({
          name: "notifications",
          table: "framewright_notifications",
          shown: ["tenant", "kind", "title", "body", "url", "created_at"],
          erase: "delete",
          mentions: ["title", "body"],
        }),
      );
      host.periodic.add(SWEEP_INTERVAL_MS, () => removeOld());
      return {
        send: async (account, content, { transaction, tenant } = {}) =>
          store.insert(ownersOf(account), rowOf(content), tenantKey(tenant), transaction),
        removeOld,
      };
    },
  });
}
