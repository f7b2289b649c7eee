import {
  type Application,
  type BaseController,
  csrfInput,
  html,
  type Reply,
  type RouteSet,
  type SafeHtml,
  unprocessable,
} from "framewright/host";
import { portalController } from "framewright/plugins/portals";

const PATH = "/_density";
const COOKIE = "fw_density";
const MAX_AGE = 365 * 86_400;
const densities = ["comfortable", "compact"] as const;

/** Whether the rows of lists are to be low, as the person chose: of the list where `listSettings()` stores it, else in this browser. */
export const isCompact = (controller: BaseController): boolean =>
  storedOf(controller)?.isCompact ?? controller.request.cookie(COOKIE) === "compact";

const storedOf = (controller: BaseController) => {
  const { kernel } = controller.request;
  return kernel.has("list_settings") ? kernel.service("list_settings").density(controller) : undefined;
};

/** Draws the route of a portal that keeps the choice. */
export function drawDensity(host: Application, set: RouteSet, drawn: Set<string>): void {
  const portal = set.owner;
  const controller = portal === undefined ? undefined : portalController(host, portal, "density");
  if (portal === undefined || !controller) return;
  const route = set.draw("POST", PATH, { controller, action: chooseDensity, policy: "(signed in)" });
  route.metadata.guests = "refuse";
  drawn.add(portal);
}

/** @throws HttpError 422 for what is none */
async function chooseDensity(controller: BaseController): Promise<Reply> {
  const { request, params } = controller;
  const given = params.get("density");
  const density = densities.find((one) => one === given);
  if (!density) throw unprocessable(`density must be one of ${densities.join(", ")}.`, { density: ["is none"] });
  request.setCookie(COOKIE, density, density === "compact" ? MAX_AGE : 0);
  if (request.format === "json") return controller.json({ data: { density } });
  return controller.redirectTo(request.safeLocation(params.get("return_to")) ?? `${request.mountPath}/`);
}

/** The choice, for people who are signed in to a portal; it leads back to a location. */
export function densityForm(
  drawn: ReadonlySet<string>,
  controller: BaseController,
  location: string,
): SafeHtml | undefined {
  const { currentUser, request } = controller;
  const portal = request.engine?.name ?? "";
  if (currentUser === undefined || !drawn.has(portal)) return undefined;
  const path = storedOf(controller)?.path ?? request.mountPath + PATH;
  const now = isCompact(controller) ? "compact" : "comfortable";
  const t = (key: string) => controller.t(`filters.density.${key}`);
  const buttons = densities.map(
    (one) =>
      html`<button class="btn btn-sm" name="density" value="${one}" aria-pressed="${String(one === now)}">${t(one)}</button>`,
  );
  return html`<form class="fw-density" method="post" action="${path}" data-turbo-frame="_top" aria-label="${t("label")}">${csrfInput(request, path)}<input type="hidden" name="return_to" value="${location}"><span>${t("label")}</span>${buttons}</form>`;
}
