import { type Application, type BaseController, html, type SafeHtml } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { icon } from "framewright/plugins/views";
import { placeOf } from "./owner.ts";
import { BELL_FRAME, type NotificationPages, PATH } from "./pages.ts";

/** The portals of an application that have the pages. */
export class Bell {
  readonly #host: Application;
  readonly #drawn = new Set<string>();

  constructor(host: Application) {
    this.#host = host;
  }

  /** Draws the pages in a portal, on its base: account, tenant and layout are the portal's. */
  draw(portal: string, pages: NotificationPages): void {
    const controller = portalController(this.#host, portal, "notifications");
    if (!controller) return;
    const set = this.#host.routeSetOf(portal);
    const draw = (verb: "GET" | "POST", path: string, action: keyof NotificationPages) =>
      set.draw(verb, PATH + path, { controller, action: pages[action], policy: "(owner)" });
    draw("GET", "", "notifications");
    draw("POST", "/read_all", "markAllNotifications");
    draw("POST", "/:notification_id/open", "openNotification");
    draw("POST", "/:notification_id/mark", "markNotification");
    this.#drawn.add(portal);
  }

  /** The bell of a page. Its count is a frame that the browser loads after the page, so that no page waits for it. */
  render(controller: BaseController): SafeHtml | undefined {
    const { engine, mountPath } = controller.request;
    if (engine === undefined || !this.#drawn.has(engine.name) || !placeOf(controller)) return undefined;
    const url = mountPath + PATH;
    const count = html`<turbo-frame id="${BELL_FRAME}" src="${url}" data-optional></turbo-frame>`;
    return html`<span class="fw-bell"><a class="fw-icon-button" href="${url}" data-turbo-frame="_top" aria-label="${controller.t("notifications.title")}">${icon("bell")}</a>${count}</span>`;
  }
}
