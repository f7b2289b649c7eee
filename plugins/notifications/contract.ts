import type { SyncHook } from "framewright/kernel";
import type { BaseModel, Transaction } from "framewright/plugins/database";

declare module "framewright/kernel" {
  interface Slots {
    notifications: { service: Notifications; hooks: NotificationHooks };
  }
}

/** The record of an account, by its table and key. */
export interface NotifiedAccount {
  readonly table: string;
  readonly id: string;
}
/** The hooks of the slot `notifications`. */
export interface NotificationHooks {
  /** Notifications of these accounts were stored, or marked as read or unread, and it is committed: what their bells show may differ. */
  changed: SyncHook<[accounts: readonly NotifiedAccount[]]>;
}

/** How a notification looks: an icon and its tone. */
export const notificationKinds = ["info", "success", "warning", "danger"] as const;
/** One of them. */
export type NotificationKind = (typeof notificationKinds)[number];

/** What somebody is notified of. */
export interface NotificationContent {
  /** A line of at most 200 characters, as text: it is escaped. */
  title: string;
  /** More of it, as text of at most 2,000 characters. */
  body?: string | undefined;
  /** Where it leads: a path of this application, as `/admin/posts/7`. */
  url?: string | undefined;
  /** "info" by default. */
  kind?: NotificationKind | undefined;
}

/** Where a notification is shown, and with what it is stored. */
export interface SendOptions {
  /** It is stored when this transaction commits, and not when it is rolled back. */
  transaction?: Transaction | undefined;
  /**
   * The tenant that it is about: it is shown on that tenant's pages alone. Without one it is shown in every portal that the
   * account enters.
   */
  tenant?: object | undefined;
}

/** The service of the slot `notifications`. */
export interface Notifications {
  /**
   * Stores a notification for an account, or for each of several; pages of portals show it by the bell.
   * @throws FW_NOTIFICATION for what can't be stored, FW_NOTIFICATIONS_TABLE
   * @example await notifications.send(post.author, { title: "Your post is published", url: "/admin/posts/7" }, { transaction })
   */
  send(account: BaseModel | readonly BaseModel[], content: NotificationContent, options?: SendOptions): Promise<void>;
  /** Removes notifications that are older than the plugin keeps them; returns how many. A serving process does so by itself. */
  removeOld(now?: Date): Promise<number>;
}
