import { type BaseController, csrfInput, html, notFound, type Reply, type SafeHtml } from "framewright/host";
import { safePath } from "./content.ts";
import { type Place, placeOf } from "./owner.ts";
import { MAX_COUNTED, type NotificationStore, type StoredNotification } from "./store.ts";

/** Below the portal's path. */
export const PATH = "/_notifications";
/** The Turbo frame of the bell. */
export const BELL_FRAME = "fw-bell";
const MAX_LISTED = 50;
const ICONS = {
  info: "info-circle",
  success: "circle-check",
  warning: "alert-triangle",
  danger: "alert-circle",
} as const;

type Page = (controller: BaseController) => Promise<Reply>;
/** The pages of notifications in a portal, by the names of their actions. */
export type NotificationPages = Record<
  "notifications" | "openNotification" | "markNotification" | "markAllNotifications",
  Page
>;

/** @throws HttpError 404 for guests, and for what is not the person's */
export function notificationPages(store: NotificationStore): NotificationPages {
  return {
    async notifications(controller) {
      const place = placeFor(controller);
      if (controller.request.frame === BELL_FRAME) return answerCount(controller, await store.unread(place));
      const before = idOf(controller.request.query.get("before"));
      const found = await store.list(place, MAX_LISTED + 1, before);
      const listed = found.slice(0, MAX_LISTED);
      const next = found.length > MAX_LISTED ? listed.at(-1)!.id : undefined;
      const unread = await store.unread(place);
      return controller.request.format === "json"
        ? controller.json({ data: listed.map(jsonOf), meta: { unread, next: next ?? null } })
        : renderList(controller, { listed, next, unread, newest: before === undefined ? listed[0]?.id : undefined });
    },
    /** Marks one as read, and leads to what it is about. */
    async openNotification(controller) {
      const [place, found] = await own(store, controller);
      await store.mark(place, found.id, true);
      if (controller.request.format === "json") return controller.json({ data: { ...jsonOf(found), read: true } });
      return controller.redirectTo(safePath(found.url) ?? baseOf(controller));
    },
    async markNotification(controller) {
      const [place, found] = await own(store, controller);
      const isRead = !["0", "false"].includes(String(controller.request.body.get("read")));
      await store.mark(place, found.id, isRead);
      if (controller.request.format === "json") return controller.json({ data: { ...jsonOf(found), read: isRead } });
      return controller.redirectTo(baseOf(controller));
    },
    async markAllNotifications(controller) {
      const place = placeFor(controller);
      const until = idOf(controller.request.body.get("until"));
      if (until !== undefined) await store.markAll(place, until);
      if (controller.request.format === "json") return controller.json({ data: null });
      controller.flash.add("success", controller.t("notifications.all_marked"));
      return controller.redirectTo(baseOf(controller));
    },
  };
}

const baseOf = ({ request }: BaseController): string => request.mountPath + PATH;

/** @throws HttpError 404 */
function placeFor(controller: BaseController): Place {
  const place = placeOf(controller);
  if (!place) throw notFound();
  return place;
}

const idOf = (given: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(given)) ? Number(given) : undefined;

/** The notification that the path names. @throws HttpError 404 for another's, and for one of another tenant */
async function own(store: NotificationStore, controller: BaseController): Promise<[Place, StoredNotification]> {
  const place = placeFor(controller);
  const id = idOf(controller.request.routeParams.notification_id);
  const found = id === undefined ? undefined : await store.find(place, id);
  if (!found) throw notFound();
  return [place, found];
}

const jsonOf = ({ id, kind, title, body, url, readAt, createdAt }: StoredNotification) => ({
  id,
  kind,
  title,
  body,
  url: safePath(url) ?? null,
  read: readAt !== undefined,
  created_at: createdAt,
});

/** What the bell shows: nothing, or the number of unread ones. */
function answerCount(controller: BaseController, unread: number): Reply {
  const count = unread >= MAX_COUNTED ? `${MAX_COUNTED - 1}+` : unread === 0 ? "" : String(unread);
  const text = unread === 0 ? "" : controller.t("notifications.unread", { count });
  return controller.render("notifications/count", { locals: { count, text } });
}

interface Listed {
  listed: readonly StoredNotification[];
  next: number | undefined;
  unread: number;
  newest: number | undefined;
}
function renderList(controller: BaseController, { listed, next, unread, newest }: Listed): Reply {
  const base = baseOf(controller);
  const title = controller.t("notifications.title");
  const all = { url: `${base}/read_all`, csrf: csrfInput(controller.request, `${base}/read_all`), until: newest };
  const locals = {
    title,
    breadcrumbs: [{ label: title }],
    mark_all: unread > 0 && newest !== undefined ? all : undefined,
    notifications: listed.map((one) => viewOf(controller, base, one)),
    older: next === undefined ? undefined : `${base}?before=${next}`,
  };
  return controller.render("notifications/index", { locals });
}

function viewOf(controller: BaseController, base: string, one: StoredNotification): Record<string, unknown> {
  const { id, kind, title, body, url, readAt, createdAt } = one;
  return {
    id,
    kind,
    title,
    body,
    icon: ICONS[kind] ?? ICONS.info,
    at: createdAt,
    unread: readAt === undefined,
    open: safePath(url) === undefined ? undefined : act(controller, `${base}/${id}/open`),
    mark: act(controller, `${base}/${id}/mark`, readAt === undefined ? "1" : "0"),
  };
}

const act = ({ request }: BaseController, url: string, read?: string): { url: string; inputs: SafeHtml } => ({
  url,
  inputs: html`${csrfInput(request, url)}${read !== undefined && html`<input type="hidden" name="read" value="${read}">`}`,
});
