import type { RequestContext } from "../http/request.ts";
import type { Mount } from "./route_set.ts";

/** The pattern of a route below its mount, as in `/admin/:organization/posts/:id`. */
export const fullPattern = (mount: Mount | undefined, pattern: string): string => {
  const prefix = mount ? mount.at + mount.engine.prefixParameters.map((name) => `/:${name}`).join("") : "";
  return (prefix + pattern).replace(/(.)\/$/, "$1");
};

/** The whole pattern of the route that a request was led to: of these there are as many as routes, whatever paths are requested. */
export function patternOf({ application, route, engine, mountPath }: RequestContext): string | undefined {
  if (!route) return undefined;
  const mount = engine && application.mounts.find((one) => one.engine === engine && mountPath.startsWith(one.at));
  return mount && route === engine.entry ? mount.at : fullPattern(mount, route.pattern);
}
