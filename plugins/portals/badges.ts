import { type Application, type BaseController, html, logPart, Reply } from "framewright/host";
import { messageOf, type SyncHook } from "framewright/kernel";
import { errors } from "./errors.ts";
import { BADGE_PATH, linesOf, type NavigationItem } from "./navigation.ts";
import { portalController } from "./portal_controller.ts";

type NavigationHook = SyncHook<[items: NavigationItem[], controller: BaseController]>;

/** Draws the frame of the badges of a portal's sidebar that take a query. */
export function drawBadges(host: Application, portal: string, hook: NavigationHook): void {
  const controller = portalController(host, portal, "badges");
  if (!controller) return;
  async function answerBadge(entered: BaseController): Promise<Reply> {
    const url = entered.request.query.get("line");
    const line = linesOf(entered, hook).find((item) => item.url === url && typeof item.badge === "function");
    return frameOf(entered, line && (await badgeOf(entered, line))); // the line may be removed by now
  }
  host.routeSetOf(portal).draw("GET", BADGE_PATH, { controller, action: answerBadge, policy: "(by line)" });
}

/** Undefined for a badge that fails, which is logged: the line is whole without it. */
async function badgeOf(controller: BaseController, { label, badge }: NavigationItem) {
  try {
    return await (badge as (controller: BaseController) => unknown)(controller);
  } catch (cause) {
    const error = errors.FW_NAVIGATION_BADGE(label, messageOf(cause));
    logPart(controller, Object.assign(error, { cause }), cause);
    return undefined;
  }
}

function frameOf({ request }: BaseController, badge: unknown): Reply {
  const text = badge === undefined || badge === "" ? "" : html`<span class="badge">${String(badge)}</span>`;
  const frame = html`<turbo-frame id="${request.frame ?? "fw-badge"}">${text}</turbo-frame>`;
  return new Reply(200, String(frame), { "content-type": "text/html; charset=utf-8" });
}
