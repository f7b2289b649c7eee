import type { RouteSet } from "framewright/host";
import type { ScopingService } from "./service.ts";

/** What follows a scoped portal's mount in another path can't name a tenant. */
export function reserveParams(scopes: ScopingService, { mounts, routes }: RouteSet): void {
  const paths = [...mounts.map(({ at }) => at), ...routes.map(({ pattern }) => pattern)];
  for (const { engine, at } of mounts) {
    const rule = scopes.ruleOf(engine.name);
    if (!rule || rule.parameter === undefined || rule.paramKey === rule.entity.primaryKey) continue;
    for (const path of paths) {
      const [first = ""] = path.startsWith(`${at}/`) ? path.slice(at.length + 1).split("/") : [];
      if (first !== "" && !first.startsWith(":")) rule.entity.reservedParams.add(first.toLowerCase());
    }
  }
}
