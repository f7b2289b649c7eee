import type { Application, BaseController, Reply, Route, Verb } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { mayManage, PATH } from "./access.ts";
import { DeliveryPages } from "./delivery_pages.ts";
import type { PageParts } from "./parts.ts";
import { showWebhook } from "./show_page.ts";
import { disableWebhook, enableWebhook, rotateSecret } from "./switches.ts";
import { WebhookPages } from "./webhook_pages.ts";

/** What each route is for, which documents of OpenAPI describe. */
export type WebhookRoute =
  | "list"
  | "create"
  | "show"
  | "update"
  | "remove"
  | "rotate"
  | "enable"
  | "disable"
  | "test"
  | "replayDead"
  | "delivery"
  | "replay";
type Answer = (controller: BaseController) => Promise<Reply>;

/** Draws the pages in portals. */
export class WebhookRoutes {
  readonly #parts: PageParts;
  readonly #lists = new Map<string, Route>();
  readonly #known = new Map<Route, WebhookRoute>();

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  draw(host: Application, portal: string): void {
    const controller = portalController(host, portal, "webhooks");
    if (!controller) return;
    const [parts, set] = [this.#parts, host.routeSetOf(portal)];
    const [pages, deliveries] = [new WebhookPages(parts), new DeliveryPages(parts)];
    const draw = (verb: Verb, path: string, action: Answer, name?: WebhookRoute) => {
      const route = set.draw(verb, PATH + path, { controller, action, policy: "(who may have webhooks)" });
      if (name) this.#known.set(route, name);
      return route;
    };
    const one = "/:webhook_id";
    this.#lists.set(
      portal,
      draw("GET", "", (at) => pages.list(at), "list"),
    );
    draw("POST", "", (at) => pages.create(at), "create");
    draw("GET", "/new", (at) => pages.new(at));
    draw("GET", one, (at) => showWebhook(parts, at), "show");
    draw("GET", `${one}/edit`, (at) => pages.edit(at));
    draw("PATCH", one, (at) => pages.update(at), "update");
    draw("DELETE", one, (at) => pages.remove(at), "remove");
    draw("POST", `${one}/rotate`, (at) => rotateSecret(parts, at), "rotate");
    draw("POST", `${one}/enable`, (at) => enableWebhook(parts, at), "enable");
    draw("POST", `${one}/disable`, (at) => disableWebhook(parts, at), "disable");
    draw("POST", `${one}/test`, (at) => deliveries.test(at), "test");
    draw("POST", `${one}/replay`, (at) => deliveries.replayDead(at), "replayDead");
    draw("GET", `${one}/deliveries/:delivery_id`, (at) => deliveries.show(at), "delivery");
    draw("POST", `${one}/deliveries/:delivery_id/replay`, (at) => deliveries.replay(at), "replay");
  }

  /** The list of a portal, at which jobs let people in. */
  listIn(portal: string): Route | undefined {
    return this.#lists.get(portal);
  }
  /** What a route is for; undefined for another plugin's, and for pages for people. */
  nameOf(route: Route): WebhookRoute | undefined {
    return this.#known.get(route);
  }
  /** The address of the list, for those who may open it. */
  urlFor(controller: BaseController): string | undefined {
    const { engine, mountPath } = controller.request;
    const isOffered = engine !== undefined && this.#lists.has(engine.name) && mayManage(controller, this.#parts.may);
    return isOffered ? mountPath + PATH : undefined;
  }
}
