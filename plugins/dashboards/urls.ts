import type { BaseController } from "framewright/host";
import type { Card } from "./cards/card.ts";
import type { DashboardMount } from "./contract.ts";

/** The address of a dashboard, with its period unless it is the dashboard's own. */
export function dashboardUrl(
  { request }: BaseController,
  mount: DashboardMount,
  query: Record<string, unknown> = {},
): string {
  return request.application.paths.path(mount.portal, mount.routes.page, [query], request);
}

/** The address of a card: the source of its frame, and a page of its own without JavaScript. */
export function cardUrl(
  { request }: BaseController,
  mount: DashboardMount,
  card: Pick<Card, "key">,
  period: string,
): string {
  return request.application.paths.path(mount.portal, mount.routes.card, [{ card: card.key, period }], request);
}
