import type { BaseController } from "framewright/host";
import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import type { Badge, NavigationItem } from "framewright/plugins/portals";
import type { Resources } from "framewright/plugins/resources";
import { type NavigationOptions, navigationOf } from "./navigation_options.ts";

/** Records are counted up to here: more is "99+", which a table of any size answers at once. */
const MOST = 99;

/** Gives the lines of resources the order and the badge of their definitions. */
export function placeLines(resources: Resources, lines: readonly NavigationItem[], controller: BaseController): void {
  const { mountPath, engine } = controller.request;
  for (const { definition, path, model } of resources.registry.of(engine?.name).values()) {
    const options = navigationOf(definition);
    const line = options && lines.find(({ url }) => url === `${mountPath}/${path}`);
    if (!line) continue;
    const { order, badge } = options;
    if (order !== undefined) line.order = order;
    if (badge !== undefined) line.badge = (asked) => badgeOf(resources, model, badge, asked);
  }
}

async function badgeOf(
  resources: Resources,
  { class: cls }: ModelInfo,
  badge: NonNullable<NavigationOptions["badge"]>,
  controller: BaseController,
): Promise<Badge | undefined> {
  const visible = resources.visibleIn(controller, cls as unknown as { new (): BaseModel });
  const found = badge === true ? visible : badge(visible, controller);
  return isQuery(found) ? count(found) : found;
}

const isQuery = (found: unknown): found is Query =>
  typeof (found as { resultSize?: unknown } | undefined)?.resultSize === "function";

async function count(query: Query): Promise<Badge | undefined> {
  const rows = await query.clearOrder().limit(MOST + 1);
  if (rows.length > MOST) return `${MOST}+`;
  return rows.length === 0 ? undefined : rows.length;
}
