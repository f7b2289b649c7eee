import { type Application, type BaseController, notFound, type Reply } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { hasOtherPortals, otherPortals } from "./other_portals.ts";
import type { ScopingService } from "./service.ts";

const PATH = "/_portals";
/** The Turbo frame of the menu in the sidebar. */
export const SWITCH_FRAME = "fw-switch";
/** The portals of an application that have the page. */
type Drawn = Set<string>;

/** Draws a page of the other portals, in each portal without a list of tenants; nothing where there is one portal alone. */
export function drawSwitcher(
  host: Application,
  scopes: ScopingService,
  portals: readonly string[],
  drawn: Drawn,
): void {
  if (portals.length < 2) return;
  for (const name of portals) {
    const rule = scopes.ruleOf(name);
    if (rule?.parameter !== undefined || rule?.registered?.entry !== undefined) continue;
    const controller = portalController(host, name, "portals");
    if (!controller) continue;
    async function listOtherPortals(entered: BaseController): Promise<Reply> {
      return answer(host, entered);
    }
    host.routeSetOf(name).draw("GET", PATH, { controller, action: listOtherPortals, policy: "(by portal)" });
    drawn.add(name);
  }
}

/** Where a signed-in person chooses another tenant or portal; undefined where there is none to choose. */
export function switchUrl(
  host: Application,
  scopes: ScopingService,
  controller: BaseController,
  drawn: Drawn,
): string | undefined {
  const { engine, mountPath } = controller.request;
  if (controller.currentUser === undefined || engine === undefined) return undefined;
  const list = scopes.entryUrl(controller);
  if (list !== undefined) return controller.currentScopedEntity === undefined ? undefined : `${list}?to=`;
  return drawn.has(engine.name) && hasOtherPortals(host, controller) ? mountPath + PATH : undefined;
}

/** @throws HttpError 404 for guests */
async function answer(host: Application, controller: BaseController): Promise<Reply> {
  if (controller.currentUser === undefined) throw notFound();
  const portals = await otherPortals(host, controller);
  if (controller.request.format === "json") return controller.json({ data: portals });
  const title = controller.t("scoping.portals");
  const view = controller.request.frame === SWITCH_FRAME ? "scoping/switch" : "scoping/others";
  return controller.render(view, { locals: { title, portals, breadcrumbs: [{ label: title }] } });
}
